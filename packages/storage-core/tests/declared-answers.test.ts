import * as v from 'valibot'
import { expect, it } from 'vitest'
import { storageContract } from '../src/http/index.ts'
import type { QuotaRuleId } from '../src/quota-rules/quota-rule.ts'
import {
  JOBS,
  makeQtree,
  makeRule,
  NOTICES,
  nodeOf,
  type OpenHttp,
  openHttp,
  QTREES,
  RULES,
  SELF_TOKENS,
  switchQuota,
  TOKENS,
  VOLUMES,
  WEBHOOKS,
} from './open-http.ts'
import { until } from './open-storage.ts'

const lists: readonly (readonly [path: string, declared: v.GenericSchema])[] = [
  [RULES, storageContract.listQuotaRules.responses[200]],
  [TOKENS, storageContract.listCloneTokens.responses[200]],
  [VOLUMES, storageContract.listVolumes.responses[200]],
  [QTREES, storageContract.listQtrees.responses[200]],
  [JOBS, storageContract.listJobs.responses[200]],
  ['/api/storage/quota/reports', storageContract.listQuotaReports.responses[200]],
  ['/api/storage/file/clone/split-loads', storageContract.listSplitLoads.responses[200]],
  ['/api/storage/file/clone/split-status', storageContract.listSplitStatus.responses[200]],
  ['/api/storage/file/clone/splits', storageContract.listSplits.responses[200]],
  ['/api/cluster/nodes', storageContract.listNodes.responses[200]],
  ['/api/svm/svms', storageContract.listSvms.responses[200]],
  [NOTICES, storageContract.listNotices.responses[200]],
  [WEBHOOKS, storageContract.listWebhooks.responses[200]],
  ['/api/support/mail/recipients', storageContract.listMailRecipients.responses[200]],
  [SELF_TOKENS, storageContract.listSelfTokens.responses[200]],
]

/** Opens a storage with at least one record of each kind. */
async function openWithRecords(): Promise<OpenHttp> {
  const http = await openHttp({
    splitFloor: '100%',
    mail: { mailer: { send: async () => undefined }, recipients: [{ to: 'ada@example.com' }] },
  })
  await makeQtree(http, 'qt1')
  await makeRule(http, { space: { hard_limit: 2 ** 20, soft_limit: 1024 }, files: { hard_limit: 10, soft_limit: 5 } })
  await makeRule(http, { type: 'user', users: [{ name: 'ada' }], qtree: undefined })
  await switchQuota(http, true)
  await http.post(TOKENS, { node: { uuid: await nodeOf(http) }, reserve_size: 4096 })
  await http.storage.notices.publish({
    id: 'n1',
    kind: 'grace-ended',
    at: http.clock.now(),
    svm: http.vol1.svm,
    volume: { uuid: http.vol1.uuid, name: http.vol1.name },
    rule: '00000000-0000-4000-8000-000000000000' as QuotaRuleId, // ids are opaque texts
    target: { kind: 'users', users: [{ name: 'ada' }, { id: '7' }], qtree: 'qt1' },
    principal: { id: '7', name: 'grace' },
    limit: 'filesSoft',
    percent: 80,
    used: 5,
    allowed: 4,
    graceEndsAt: http.clock.now(),
    path: 'a',
    reason: 'It is full.',
  })
  await http.post(SELF_TOKENS, { user: { name: 'ada' } })
  await http.post(WEBHOOKS, { name: 'chat', url: 'http://127.0.0.1:1/', enabled: false, volumes: [{ uuid: 'x' }] })
  http.volume.files.write('f', { size: 2 ** 20 })
  const clone = { volume: { name: 'vol1' }, source_path: 'f', destination_path: 'c', split: true }
  await http.post('/api/storage/file/clone?return_timeout=30', clone)
  await until(() => http.emitted.some(([name]) => name === 'split.refused'))
  return http
}

const leavesOf = (value: unknown, path = ''): readonly string[] => {
  if (Array.isArray(value)) return value.flatMap((item) => leavesOf(item, path))
  if (typeof value !== 'object' || value === null) return [path]
  const members = Object.entries(value).filter(([name]) => name !== '_links')
  return members.flatMap(([name, member]) => leavesOf(member, path === '' ? name : `${path}.${name}`))
}

/** Checks that a body has no other members and types than its schema. */
function expectDeclared(declared: v.GenericSchema, body: unknown, asked: string): void {
  const { issues = [], output } = v.safeParse(declared, body)
  expect(
    issues.map((issue) => `${v.getDotPath(issue)}: ${issue.message}`),
    asked,
  ).toEqual([])
  expect(output, asked).toEqual(body)
}

it.each(lists)('%s answers as declared for each value of `fields`', async (path, declared) => {
  const http = await openWithRecords()
  const { records } = (await http.get(`${path}?fields=**`)).body
  expect(records).not.toEqual([])
  for (const field of new Set(['*', '**', ...leavesOf(records)])) {
    const { body } = await http.get(`${path}?fields=${field}`)
    expectDeclared(declared, body, field)
  }
})

it.each(lists)('%s answers as declared for one page, with and without links', async (path, declared) => {
  const http = await openWithRecords()
  for (const accept of ['application/hal+json', 'application/json']) {
    const { body } = await http.get(`${path}?max_records=1`, { accept })
    expectDeclared(declared, body, accept)
  }
})
