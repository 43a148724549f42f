import type { AccessRequest } from '@trivium/http-contract'
import { openDatabase } from '@trivium/sql-repositories'
import { migrateStorage, sqlStorageRepositories } from '@trivium/sql-repositories/storage'
import { memoryStorageRepositories } from '@trivium/storage-core/memory'
import fc from 'fast-check'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type StorageOperation, storageContract } from '../src/http/index.ts'
import type { StorageRepositories } from '../src/storage-repositories.ts'
import {
  type Answered,
  type AskOptions,
  JOBS,
  NOTICES,
  openHttp,
  QTREES,
  RULES,
  TOKENS,
  VOLUMES,
  WEBHOOKS,
} from './open-http.ts'
import { openUsersWorld, type UsersWorld } from './users-world.ts'

const stores: readonly (readonly [string, () => Promise<StorageRepositories>])[] = [
  ['memory', async () => memoryStorageRepositories()],
  [
    'SQLite',
    async () => {
      const database = await openDatabase('memory:')
      await migrateStorage(database)
      onTestFinished(() => database.close())
      return sqlStorageRepositories(database)
    },
  ],
]

const REPORTS = '/api/storage/quota/reports'
const CLONE = '/api/storage/file/clone'
const SPLITS = `${CLONE}/splits`
const NODES = '/api/cluster/nodes'
const SVMS = '/api/svm/svms'

const volumes = [
  { name: 'own', svm: 'svm1', node: 'node1', owner: 'ada' },
  { name: 'other', svm: 'svm1', node: 'node1', owner: 'grace' },
  { name: 'far', svm: 'svm2', node: 'node2', owner: 'ada' },
] as const

/** The ids and names of records, as a request contains them. */
interface Target {
  readonly volume: string
  readonly volumeName: string
  readonly svm: string
  readonly svmName: string
  readonly node: string
  readonly rule: string
  readonly qtree: number
  readonly report: number
  readonly job: string
  readonly token: string
  readonly split: string
}

const absent: Target = {
  volume: '00000000-dead-4000-8000-000000000001',
  volumeName: 'absent',
  svm: '00000000-dead-4000-8000-000000000002',
  svmName: 'absent_svm',
  node: '00000000-dead-4000-8000-000000000003',
  rule: '00000000-dead-4000-8000-000000000004',
  qtree: 77,
  report: 77,
  job: '00000000-dead-4000-8000-000000000005',
  token: '00000000-dead-4000-8000-000000000006',
  split: '00000000-dead-4000-8000-000000000007',
}

function targetOf({ records }: UsersWorld, name: string): Target {
  const found = records.find(({ volume }) => volume.name === name)
  if (!found) throw new Error(`There is no volume ${name}`)
  const { volume, rule, qtree, report, job, token, split } = found
  return {
    volume: volume.uuid,
    volumeName: volume.name,
    svm: volume.svm.uuid,
    svmName: volume.svm.name,
    node: volume.node.uuid,
    rule: rule.uuid,
    qtree,
    report: report.index,
    job: job.uuid,
    token: token.uuid,
    split: split.uuid,
  }
}

type Sent = readonly [path: string, body?: unknown]
type Requests = (target: Target) => readonly Sent[]

const quota = { quota: { enabled: false } }
const limit = { space: { hard_limit: 4096 } }
const expiry = { expiry_time: { limit: 'PT1H' } }
const filtersOf = ({ volume, volumeName }: Target) => [`volume.uuid=${volume}`, `volume.name=${volumeName}`]
const ofVolumes =
  (path: string, body?: unknown): Requests =>
  (target) =>
    filtersOf(target).flatMap((filter): readonly Sent[] => [
      [`${path}?${filter}`, body],
      [`${path}?${filter}|x*&max_records=1`, body],
    ])

/** Operations on webhooks, which belong to no volume. */
const ofNoVolume = {
  listWebhooks: () => [],
  createWebhook: () => [],
  getWebhook: () => [],
  updateWebhook: () => [],
  deleteWebhook: () => [],
  testWebhook: () => [],
  listWebhookDeliveries: () => [],
  retryWebhookDelivery: () => [],
  listMailRecipients: () => [],
  testMailRecipient: () => [],
  // A user has their own quotas, and no tokens.
  getSelfQuotas: () => [],
  listSelfTokens: () => [],
  createSelfToken: () => [],
  getSelfToken: () => [],
  deleteSelfToken: () => [],
  // Clones of volumes are the admin's.
  createVolume: () => [],
  deleteVolume: () => [],
} satisfies Partial<Record<StorageOperation, Requests>>

/** Requests of each operation for records of a far volume, whose SVM and node have no other volume. */
const operations: Readonly<Record<StorageOperation, Requests>> = {
  listCloneTokens: ({ token, node }) => [
    [`${TOKENS}?uuid=${token}`],
    [`${TOKENS}?node.uuid=${node}&return_records=false`],
  ],
  createCloneToken: ({ node }) => [
    [TOKENS, { node: { uuid: node }, reserve_size: 4096 }],
    [TOKENS, { node: { uuid: node, name: 'x' }, reserve_size: 4096 }],
    [TOKENS, { node: { uuid: node }, reserve_size: -1 }],
    [TOKENS, { node: { uuid: node }, reserve_size: 2 ** 50 }],
  ],
  updateCloneTokens: ({ token }) => [[`${TOKENS}?uuid=${token}`, expiry]],
  deleteCloneTokens: ({ token }) => [[`${TOKENS}?uuid=${token}`]],
  getCloneToken: ({ node, token }) => [[`${TOKENS}/${node}/${token}`]],
  updateCloneToken: ({ node, token }) => [
    [`${TOKENS}/${node}/${token}`, expiry],
    [`${TOKENS}/${node}/${token}`, { expiry_time: { limit: 0 } }],
  ],
  deleteCloneToken: ({ node, token }) => [[`${TOKENS}/${node}/${token}`]],
  listSplitLoads: ({ node }) => [[`${CLONE}/split-loads?node.uuid=${node}`]],
  getSplitLoad: ({ node }) => [[`${CLONE}/split-loads/${node}`]],
  updateSplitLoad: ({ node }) => [
    [`${CLONE}/split-loads/${node}`, { load: { maximum: 2 ** 40 } }],
    [`${CLONE}/split-loads/${node}`, { load: { maximum: 1 } }],
  ],
  listSplitStatus: ofVolumes(`${CLONE}/split-status`),
  getSplitStatus: ({ volume }) => [[`${CLONE}/split-status/${volume}`]],
  listSplits: ofVolumes(SPLITS),
  createSplit: ({ volume, volumeName, svm, svmName }) =>
    [
      { volume: { uuid: volume } },
      { volume: { name: volumeName } },
      { volume: { uuid: volume }, svm: { name: 'svm1' } },
      { volume: { name: volumeName }, svm: { uuid: svm } },
      { volume: { name: 'own' }, svm: { name: svmName } },
    ].map((place): Sent => [SPLITS, { ...place, path: 'f' }]),
  getSplit: ({ split }) => [[`${SPLITS}/${split}`]],
  updateSplit: ({ split }) => [
    [`${SPLITS}/${split}`, { state: 'waiting' }],
    [`${SPLITS}/${split}`, { order: 1 }],
  ],
  deleteSplit: ({ split }) => [[`${SPLITS}/${split}`]],
  createFileClone: ({ volume, volumeName, svm, svmName }) =>
    [
      { volume: { uuid: volume } },
      { volume: { name: volumeName } },
      { volume: { uuid: volume, name: 'x' } },
      { volume: { uuid: volume }, svm: { name: 'svm1' } },
      { volume: { name: volumeName }, svm: { uuid: svm } },
      { volume: { name: 'own' }, svm: { name: svmName } },
      { volume: { name: 'own' }, svm: { uuid: svm, name: 'x' } },
    ].map((place): Sent => [CLONE, { ...place, source_path: 'f', destination_path: 'c' }]),
  listQuotaRules: ofVolumes(RULES),
  createQuotaRule: ({ volume, volumeName, svm, svmName }) =>
    [
      { volume: { uuid: volume }, svm: { name: svmName } },
      { volume: { name: volumeName }, svm: { uuid: svm } },
      { volume: { name: volumeName }, svm: { name: 'svm1' } },
      { volume: { uuid: volume, name: 'x' }, svm: { name: 'svm1' } },
    ].map((place): Sent => [RULES, { ...place, type: 'tree', qtree: { name: 'new' } }]),
  importQuotaRules: ({ volume, volumeName, svm, svmName }) =>
    [
      { volume: { uuid: volume }, svm: { name: svmName } },
      { volume: { name: volumeName }, svm: { uuid: svm } },
      { volume: { uuid: volume, name: 'x' }, svm: { name: 'svm1' } },
    ].flatMap((place): Sent[] => {
      const line = JSON.stringify({ ...place, type: 'tree', qtree: { name: 'new' } })
      const query = `svm.uuid=${svm}&volume.uuid=${volume}&delete_missing=true`
      return [
        [`${RULES}/import`, line],
        [`${RULES}/import?dry_run=true`, line],
        [`${RULES}/import?${query}`, line],
        [`${RULES}/import?${query}`, '\n'],
      ]
    }),
  exportQuotaRules: ({ volume, volumeName }) => [
    [`${RULES}/export?format=jsonl&volume.uuid=${volume}`],
    [`${RULES}/export?format=jsonl&volume.name=${volumeName}`],
  ],
  updateQuotaRules: ofVolumes(RULES, limit),
  deleteQuotaRules: ofVolumes(RULES),
  getQuotaRule: ({ rule }) => [[`${RULES}/${rule}`]],
  updateQuotaRule: ({ rule }) => [[`${RULES}/${rule}`, limit]],
  deleteQuotaRule: ({ rule }) => [[`${RULES}/${rule}`]],
  listQuotaReports: ofVolumes(REPORTS),
  getQuotaReport: ({ volume, report }) => [[`${REPORTS}/${volume}/${report}`]],
  listQuotaReportMetrics: ({ volume, report }) => [
    [`${REPORTS}/${volume}/${report}/metrics`],
    [`${REPORTS}/${volume}/${report}/metrics?interval=1y&return_records=false`],
  ],
  listVolumes: ({ volume, volumeName, svmName }) => [
    [`${VOLUMES}?uuid=${volume}`],
    [`${VOLUMES}?name=${volumeName}&return_records=false`],
    [`${VOLUMES}?svm.name=${svmName}`],
  ],
  updateVolumes: ({ volume, volumeName }) => [
    [`${VOLUMES}?uuid=${volume}`, quota],
    [`${VOLUMES}?name=${volumeName}`, quota],
  ],
  listCliVolumes: ({ volume, volumeName }) => [
    [`/api/private/cli/volume?instance_uuid=${volume}`],
    [`/api/private/cli/volume?volume=${volumeName}&fields=*`],
  ],
  listVolumeMetrics: ({ volume }) => [[`${VOLUMES}/${volume}/metrics`], [`${VOLUMES}/${volume}/metrics?interval=1d`]],
  getVolume: ({ volume }) => [[`${VOLUMES}/${volume}`], [`${VOLUMES}/${volume}?fields=space`]],
  updateVolume: ({ volume }) => [[`${VOLUMES}/${volume}`, quota]],
  getVolumeFile: ({ volume }) => [[`${VOLUMES}/${volume}/files/f`], [`${VOLUMES}/${volume}/files/absent`]],
  listQtrees: ofVolumes(QTREES),
  createQtree: ({ volume, volumeName, svm, svmName }) =>
    [
      { volume: { uuid: volume }, svm: { name: svmName } },
      { volume: { name: volumeName }, svm: { uuid: svm } },
      { volume: { uuid: volume }, svm: { name: 'svm1' } },
    ].map((place): Sent => [QTREES, { ...place, name: 'new' }]),
  deleteQtrees: ({ volume, volumeName }) => [
    [`${QTREES}?volume.uuid=${volume}&id=!0`],
    [`${QTREES}?volume.name=${volumeName}&id=!0`],
  ],
  getQtree: ({ volume, qtree }) => [[`${QTREES}/${volume}/${qtree}`], [`${QTREES}/${volume}/0`]],
  updateQtree: ({ volume, qtree }) => [
    [`${QTREES}/${volume}/${qtree}`, { name: 'renamed' }],
    [`${QTREES}/${volume}/0`, { name: 'renamed' }],
  ],
  deleteQtree: ({ volume, qtree }) => [[`${QTREES}/${volume}/${qtree}`], [`${QTREES}/${volume}/0`]],
  listJobs: ({ job, svm }) => [[`${JOBS}?uuid=${job}`], [`${JOBS}?svm.uuid=${svm}&return_records=false`]],
  getJob: ({ job }) => [[`${JOBS}/${job}`]],
  updateJob: ({ job }) => [[`${JOBS}/${job}?action=pause`], [`${JOBS}/${job}`, { action: 'cancel' }]],
  listNodes: ({ node }) => [[`${NODES}?uuid=${node}`]],
  getNode: ({ node }) => [[`${NODES}/${node}`]],
  listSvms: ({ svm, svmName }) => [[`${SVMS}?uuid=${svm}`], [`${SVMS}?name=${svmName}&return_records=false`]],
  getSvm: ({ svm }) => [[`${SVMS}/${svm}`]],
  getCluster: () => [],
  listNotices: ofVolumes(NOTICES),
  ...ofNoVolume,
}

/** A text is lines of JSON. */
const sentAs = (body: unknown): AskOptions => ({
  body,
  ...(typeof body === 'string' && { headers: { 'content-type': 'application/jsonl' } }),
})

/** The status and the text of an answer, with the ids and names of its target replaced by their places. */
function withoutIds({ status, text }: Answered, target: Target) {
  const strings = Object.entries(target).filter(([, value]) => typeof value === 'string')
  const words = strings.toSorted(([, left], [, right]) => String(right).length - String(left).length)
  return [status, words.reduce((rest, [place, value]) => rest.replaceAll(String(value), `<${place}>`), text)]
}

const everyOperation = Object.keys(operations) as StorageOperation[] // the keys of the table

describe.each(stores)('a user of the host, over %s', (_, openStore) => {
  const open = async () => openUsersWorld(await openStore(), volumes)
  const ada = (world: UsersWorld, scopes?: readonly StorageOperation[]) => ({
    id: 'ada',
    volumes: [targetOf(world, 'own').volume, absent.volume],
    ...(scopes && { scopes }),
  })

  it.each(everyOperation)('gets from %s for an invisible volume what it gets for an absent one', async (operation) => {
    const world = await open()
    const { method } = storageContract[operation]
    const [far, user] = [targetOf(world, 'far'), ada(world, [operation])]
    const stateOf = async () => {
      const paths = [VOLUMES, RULES, QTREES, JOBS, TOKENS, SPLITS, `${CLONE}/split-loads`]
      return Promise.all(paths.map(async (path) => (await world.http.get(`${path}?fields=*`)).text))
    }
    const before = await stateOf()
    const sent = operations[operation]
    for (const [index, [path, body]] of sent(far).entries()) {
      const [absentPath, absentBody] = sent(absent)[index] ?? ['']
      const got = await world.as(user, method, path, sentAs(body))
      const expected = await world.as(user, method, absentPath, sentAs(absentBody))
      expect([path, ...withoutIds(got, far)]).toEqual([path, ...withoutIds(expected, absent)])
      if (got.status === 200 && got.body === undefined) expect([path, got.text]).toEqual([path, ''])
      else if (got.status === 200) expect([path, got.body.num_records, got.body.records ?? []]).toEqual([path, 0, []])
      else expect([path, got.status < 500 && got.status >= 400 && got.status !== 403]).toEqual([path, true])
    }
    expect(await stateOf()).toEqual(before)
    // The first request is valid, so that it shows that the volume is refused.
    const [first] = sent(far)
    const [path, body] = first ?? [undefined]
    if (path === undefined) return
    const status = (await world.http.ask(method, path, sentAs(body))).status
    expect([path, status < 300]).toEqual([path, true])
  })

  const offered = everyOperation.filter((id) => id !== 'updateSplitLoad' && !(id in ofNoVolume))

  it.each(offered)('calls %s for a volume of its own', async (id) => {
    const world = await open()
    const [request] = operations[id](targetOf(world, 'own'))
    const [path, body] = request ?? ['/api/cluster']
    const answer = await world.as(ada(world), storageContract[id].method, path, sentAs(body))
    expect([answer.status < 300, answer.body?.num_records ?? answer.text.length]).toEqual([
      true,
      expect.toSatisfy((count) => count > 0),
    ])
  })

  it('gets 404 for records of another volume in the SVM and on the node of its own volume', async () => {
    const world = await open()
    const [user, other] = [ada(world), targetOf(world, 'other')]
    const paths = [
      `${VOLUMES}/${other.volume}`,
      `${QTREES}/${other.volume}/${other.qtree}`,
      `${RULES}/${other.rule}`,
      `${REPORTS}/${other.volume}/${other.report}`,
      `${REPORTS}/${other.volume}/${other.report}/metrics`,
      `${VOLUMES}/${other.volume}/metrics`,
      `${JOBS}/${other.job}`,
      `${CLONE}/split-status/${other.volume}`,
      `${SPLITS}/${other.split}`,
      `${VOLUMES}/${other.volume}/files/f`,
      `${TOKENS}/${other.node}/${other.token}`,
    ]
    for (const path of paths) {
      expect([path, (await world.as(user, 'GET', path)).status]).toEqual([path, 404])
      expect([path, (await world.http.get(path)).status]).toEqual([path, 200])
    }
    for (const path of [`${NODES}/${other.node}`, `${SVMS}/${other.svm}`]) {
      expect((await world.as(user, 'GET', path)).status).toBe(200)
    }
  })

  it('has no webhooks without a scope, and sees none of them with one', async () => {
    const world = await open()
    const made = (await world.http.post(WEBHOOKS, { url: 'http://127.0.0.1:1/' })).body.records[0]
    const one = `${WEBHOOKS}/${made.uuid}`
    const requests: readonly (readonly [StorageOperation, string, unknown?])[] = [
      ['listWebhooks', WEBHOOKS],
      ['createWebhook', WEBHOOKS, { url: 'http://127.0.0.1:1/' }],
      ['getWebhook', one],
      ['updateWebhook', one, { enabled: false }],
      ['deleteWebhook', one],
      ['testWebhook', `${one}/test`],
      ['listWebhookDeliveries', `${one}/deliveries`],
      ['retryWebhookDelivery', `${one}/deliveries/1/retry`],
    ]
    for (const [id, path, body] of requests) {
      const { method } = storageContract[id]
      const unscoped = await world.as(ada(world), method, path, { body })
      expect([id, unscoped.status]).toEqual([id, 403])
      const scoped = await world.as(ada(world, [id]), method, path, { body })
      if (id === 'listWebhooks') expect(scoped.body.num_records).toBe(0)
      else expect([id, scoped.status]).toEqual([id, id === 'createWebhook' ? 403 : 404])
    }
    expect((await world.http.get(`${one}?fields=*`)).body).toMatchObject({ enabled: true })
    expect((await world.http.get(WEBHOOKS)).body.num_records).toBe(1)
  })

  it('sees no recipients of e-mail, and sends them no tests', async () => {
    const world = await open()
    const path = '/api/support/mail/recipients'
    for (const [id, method, one] of [
      ['listMailRecipients', 'GET', path],
      ['testMailRecipient', 'POST', `${path}/ada@example.com/test`],
    ] as const) {
      expect((await world.as(ada(world), method, one)).status).toBe(403)
      const scoped = await world.as(ada(world, [id]), method, one)
      if (id === 'listMailRecipients') expect(scoped.body.num_records).toBe(0)
      else expect(scoped.status).toBe(404)
    }
  })

  it('sees only its own tokens, and cannot charge those of others', async () => {
    const world = await open()
    const [own, other] = [targetOf(world, 'own'), targetOf(world, 'other')]
    const { body } = await world.as(ada(world), 'GET', TOKENS)
    expect(body.records.map(({ uuid }: { uuid: string }) => uuid)).toEqual([own.token])
    const cloneWith = async (token: string, destination: string) => {
      const request = {
        volume: { uuid: own.volume },
        source_path: 'f',
        destination_path: destination,
        token_uuid: token,
      }
      return world.as(ada(world), 'POST', `${CLONE}?return_timeout=30`, { body: request })
    }
    const big = { node: { uuid: own.node }, reserve_size: 2 ** 21 }
    const made = await world.as(ada(world), 'POST', TOKENS, { body: big })
    const ofAdmin = await world.http.post(TOKENS, big)
    expect([made.status, ofAdmin.status]).toEqual([201, 201])
    const refused = await cloneWith(absent.token, 'c1')
    expect(refused.status).toBe(409)
    for (const { uuid } of [ofAdmin.body.records[0], { uuid: other.token }]) {
      const answer = await cloneWith(uuid, 'c1')
      expect([answer.status, answer.text.replace(uuid, absent.token)]).toEqual([409, refused.text])
    }
    expect((await cloneWith(made.body.records[0].uuid, 'c1')).status).toBe(201)
  })

  it('sees everything with `volumes` of `all`, and nothing without `volumes`', async () => {
    const world = await open()
    const paths = [VOLUMES, QTREES, RULES, REPORTS, JOBS, TOKENS, NODES, SVMS, NOTICES, SPLITS, `${CLONE}/split-loads`]
    for (const path of [...paths, `${CLONE}/split-status`]) {
      const all = (await world.http.get(path)).body.num_records
      expect([path, (await world.as({ id: 'grace', volumes: 'all' }, 'GET', path)).body.num_records]).toEqual([
        path,
        all,
      ])
      expect([path, (await world.as({ id: 'grace' }, 'GET', path)).body.num_records]).toEqual([path, 0])
      expect([path, (await world.as({ id: 'grace', volumes: [] }, 'GET', path)).body.num_records]).toEqual([path, 0])
    }
    const cluster = await world.as({ id: 'grace' }, 'GET', '/api/cluster')
    expect([cluster.status, cluster.body.version.generation]).toEqual([200, 9])
    expect((await world.as({ id: 'grace' }, 'GET', '/api/storage/aggregates')).body.error.code).toBe('3')
  })

  it('gets the same answer for a header with an SVM that is invisible or absent', async () => {
    const world = await open()
    const [far, own] = [targetOf(world, 'far'), targetOf(world, 'own')]
    for (const [name, place] of [
      ['x-dot-svm-name', 'svmName'],
      ['x-dot-svm-uuid', 'svm'],
    ] as const) {
      const invisible = await world.as(ada(world), 'GET', VOLUMES, { headers: { [name]: far[place] } })
      const missing = await world.as(ada(world), 'GET', VOLUMES, { headers: { [name]: absent[place] } })
      expect(withoutIds(invisible, far)).toEqual(withoutIds(missing, absent))
      expect(invisible.status).toBe(404)
      const visible = await world.as(ada(world), 'GET', VOLUMES, { headers: { [name]: own[place] } })
      expect(visible.body.num_records).toBe(1)
    }
  })

  it('gets 404 for a report of an invisible volume whose usage is unavailable, and no warning about it', async () => {
    const repositories = await openStore()
    const world = await openUsersWorld(repositories, volumes)
    const [far, user] = [targetOf(world, 'far'), { type: 'user', ...ada(world) } as const]
    const authorize = { '*': ({ headers }: AccessRequest) => (headers['x-user'] ? user : 'default') } as const
    const detached = await openHttp({ repositories, volumes: [] }, { authorize })
    const path = `${REPORTS}/${far.volume}/${far.report}`
    expect((await detached.get(path)).status).toBe(503)
    expect((await detached.get(path, { 'x-user': 'ada' })).status).toBe(404)
    const list = await detached.get(REPORTS, { 'x-user': 'ada' })
    expect([list.status, list.text]).toEqual([503, expect.not.stringContaining('far')])
  })

  it('needs a filter to change a collection, because what it sees is not one', async () => {
    const world = await open()
    for (const path of [RULES, QTREES, TOKENS]) {
      expect([path, (await world.as(ada(world), 'DELETE', path)).status]).toEqual([path, 400])
    }
    expect((await world.as(ada(world), 'DELETE', `${RULES}?uuid=*`)).status).toBeLessThan(300)
    const left = (await world.http.get(RULES)).body.records
    expect(new Set(left.map(({ volume }: { volume: { name: string } }) => volume.name))).toEqual(
      new Set(['other', 'far']),
    )
  })

  it('finds its volume by a name that an invisible volume has in another SVM', async () => {
    const twice = [
      { name: 'own', svm: 'svm1', node: 'node1' },
      { name: 'own', svm: 'svm2', node: 'node1' },
    ]
    const world = await openUsersWorld(await openStore(), twice)
    const user = { id: 'ada', volumes: [world.records[0]?.volume.uuid ?? ''] }
    const body = { volume: { name: 'own' }, source_path: 'f', destination_path: 'c' }
    expect((await world.http.post(CLONE, body)).status).toBe(404)
    expect((await world.as(user, 'POST', `${CLONE}?return_timeout=30`, { body })).status).toBe(201)
  })

  it('gets 403 for the maximum split load of a node, unless a scope names it', async () => {
    const world = await open()
    const [own, body] = [targetOf(world, 'own'), { load: { maximum: 2 ** 40 } }]
    const path = `${CLONE}/split-loads/${own.node}`
    const refused = await world.as(ada(world), 'PATCH', path, { body })
    expect([refused.status, refused.body.error.message]).toEqual([
      403,
      'This user is not allowed to use this operation.',
    ])
    expect((await world.as(ada(world, ['updateSplitLoad']), 'PATCH', path, { body })).status).toBe(200)
    const reader = { ...ada(world), scopes: ['read'] }
    expect((await world.as(reader, 'GET', path)).status).toBe(200)
    expect((await world.as(reader, 'DELETE', `${RULES}/${own.rule}`)).status).toBe(403)
  })

  it('appears in the audit log with its id', async () => {
    const world = await open()
    const [own, far] = [targetOf(world, 'own'), targetOf(world, 'far')]
    const before = world.answered.length
    for (const rule of [own.rule, far.rule]) await world.as(ada(world), 'DELETE', `${RULES}/${rule}`)
    await world.as(ada(world), 'PATCH', `${CLONE}/split-loads/${own.node}`, { body: { load: { maximum: 2 ** 40 } } })
    const caller = { type: 'user', id: 'ada' }
    expect(world.answered.slice(before)).toMatchObject([
      { operation: 'deleteQuotaRule', status: 202, caller },
      { operation: 'deleteQuotaRule', status: 404, caller },
      { operation: 'updateSplitLoad', status: 403, caller, refusal: 'not_permitted' },
    ])
  })

  it('pages and counts as if only its own volumes existed, for any volumes and order', {
    timeout: 60_000,
  }, async () => {
    const placed = Array.from({ length: 6 }, (_unused, index) => ({
      name: `vol${(index * 5) % 6}`,
      svm: `svm${index % 3}`,
      node: `node${index % 2}`,
      owner: index % 3 === 0 ? 'grace' : 'ada',
    }))
    const world = await openUsersWorld(await openStore(), placed)
    type Wire = { readonly [member: string]: ReturnType<typeof JSON.parse> }
    const jobVolumes = new Map(world.records.map(({ job, volume }) => [`${job.uuid}`, `${volume.uuid}`]))
    const { records: jobs } = await world.http.repositories.jobs.list({ query: { all: [] }, order: [], limit: 999 })
    for (const { uuid, task } of jobs) jobVolumes.set(uuid, task.volume)
    const own = new Set(
      world.records.filter((_one, index) => placed[index]?.owner === 'ada').map(({ token }) => `${token.uuid}`),
    )
    const nodesOf = (uuids: ReadonlySet<string>) =>
      new Set(world.records.flatMap(({ volume }) => (uuids.has(volume.uuid) ? `${volume.node.uuid}` : [])))
    const svmsOf = (uuids: ReadonlySet<string>) =>
      new Set(world.records.flatMap(({ volume }) => (uuids.has(volume.uuid) ? `${volume.svm.uuid}` : [])))
    const ofVolume = ({ volume }: Wire, uuids: ReadonlySet<string>) => uuids.has(volume.uuid)
    const collections: Readonly<
      Record<string, readonly [orders: readonly string[], sees: (record: Wire, uuids: ReadonlySet<string>) => boolean]>
    > = {
      [VOLUMES]: [['name', 'svm.name desc'], ({ uuid }, uuids) => uuids.has(uuid)],
      [QTREES]: [['name', 'volume.name desc', 'id'], ofVolume],
      [RULES]: [['type', 'svm.name', 'volume.name'], ofVolume],
      [REPORTS]: [['qtree.name', 'volume.name desc'], ofVolume],
      [`${CLONE}/split-status`]: [['volume.name'], ofVolume],
      [SPLITS]: [['volume.name desc'], ofVolume],
      [JOBS]: [['description', 'state desc', 'start_time'], ({ uuid }, uuids) => uuids.has(jobVolumes.get(uuid) ?? '')],
      [TOKENS]: [['node.name'], ({ uuid, node }, uuids) => own.has(uuid) && nodesOf(uuids).has(node.uuid)],
      [NODES]: [['name desc'], ({ uuid }, uuids) => nodesOf(uuids).has(uuid)],
      [`${CLONE}/split-loads`]: [['load.current'], ({ node }, uuids) => nodesOf(uuids).has(node.uuid)],
      [SVMS]: [['name'], ({ uuid }, uuids) => svmsOf(uuids).has(uuid)],
    }
    const cases = Object.entries(collections).map(([path, [orders, sees]]) => ({ path, orders: ['', ...orders], sees }))
    const subset = fc.subarray(world.records.map(({ volume }) => `${volume.uuid}`))
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...cases), fc.nat(), subset, async ({ path, orders, sees }, pick, uuids) => {
        const order = `order_by=${orders[pick % orders.length]}`
        const user = { id: 'ada', volumes: uuids }
        const visible = new Set(uuids)
        const all: readonly Wire[] = (await world.http.get(`${path}?${order}`)).body.records
        const expected = all.filter((record) => sees(record, visible))
        const paged: Wire[] = []
        let next: string | undefined = `${path}?${order}&max_records=1`
        while (next !== undefined) {
          const { body, text } = await world.as(user, 'GET', next)
          for (const { volume } of world.records) if (!visible.has(volume.uuid)) expect(text).not.toContain(volume.uuid)
          paged.push(...body.records)
          next = body._links.next?.href
          expect(body.num_records).toBe(expected.length === 0 ? 0 : 1)
        }
        expect(paged).toEqual(expected)
        const counted = await world.as(user, 'GET', `${path}?return_records=false`)
        expect(counted.body.num_records).toBe(expected.length)
      }),
      { numRuns: 60, endOnFailure: true },
    )
  })
})
