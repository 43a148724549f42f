import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { requireProgram } from '../require-program.ts'
import { ADMIN_PASSWORD } from '../server-process.ts'
import { type OpenAnsible, openAnsible, resultsOf, type TaskResult } from './open-ansible.ts'

const installed = await requireProgram('ansible-playbook', 'ansible python3-requests')

describe.skipIf(!installed)("NetApp's Ansible collection", () => {
  let ansible: OpenAnsible
  let results: ReadonlyMap<string, TaskResult>

  beforeAll(async () => {
    ansible = await openAnsible()
    results = resultsOf(await ansible.play(join(import.meta.dirname, 'storage.yml')))
  }, 180_000)
  afterAll(() => ansible?.server[Symbol.asyncDispose]())

  it('runs every task', () => {
    expect([...results].filter(([, { failed }]) => failed)).toEqual([])
    expect([...results.keys()].at(-1)).toBe('tree quota deleted again')
  })

  it.each([
    'qtree created',
    'tree quota created',
    'tree quota modified',
    'user quota created',
    'users of one quota',
    'user quota by id created',
    'default user quota modified',
    'group quota created',
    'group quota deleted',
    'quota switched off',
    'token created',
    'qtree created by its path',
    'tree quota deleted',
  ])('reports a change for the task "%s"', (name) => {
    expect(results.get(name)).toMatchObject({ changed: true })
  })

  it.each([
    'qtree created again',
    'tree quota created again',
    'user quota created again',
    'users of one quota again',
    'tree quota deleted again',
  ])('reports no change for the task "%s"', (name) => {
    expect(results.get(name)).toMatchObject({ changed: false })
  })

  it('reads tokens in the form of ONTAP', () => {
    expect(results.get('token created')?.response?.records?.[0]).toMatchObject({
      reserve_size: 41943040,
      expiry_time: { limit: 'PT1H10M' },
    })
    expect(results.get('tokens listed')?.response).toMatchObject({
      num_records: 1,
      records: [{ _links: { self: {} } }],
    })
    expect(results.get('token read')?.response).toMatchObject({ expiry_time: { limit: 'PT2H' } })
  })

  it('lists page by page', () => {
    const info = results.get('rules listed page by page')?.ontap_info
    expect(info?.storage_quota_rules?.num_records).toBeGreaterThan(3)
    expect(info?.storage_qtrees?.num_records).toBeGreaterThanOrEqual(2)
  })

  it('runs the playbook of docs/storage.md', async () => {
    const document = readFileSync(join(import.meta.dirname, '../../../../docs/storage.md'), 'utf8')
    const [, playbook = ''] = /^```yaml\n(.*?)^```$/ms.exec(document) ?? []
    const { directory, server, play } = ansible
    writeFileSync(join(directory, 'quota.yml'), playbook.replace('8787', new URL(server.url).port))
    mkdirSync(join(directory, '.trivium'))
    writeFileSync(join(directory, '.trivium/admin-password'), ADMIN_PASSWORD)
    expect(await play(join(directory, 'quota.yml'))).toMatchObject({
      stats: { localhost: { ok: 2, changed: 2, failures: 0 } },
    })
  }, 60_000)
})
