import { fetchHandler } from '@trivium/fetch-adapter'
import { memoryStorageRepositories } from '@trivium/storage-core/memory'
import { expect, it } from 'vitest'
import { storageRoutes } from '../src/http/index.ts'
import type { StorageRepositories } from '../src/storage-repositories.ts'
import { JOBS, QTREES, RULES, TOKENS, VOLUMES } from './open-http.ts'
import { createQtree, ended, MiB, openStorage, setQuota } from './open-storage.ts'

/** Creates a store that fails after `fail(true)`. */
function failingStore() {
  const repositories = memoryStorageRepositories()
  let failing = false
  let failures = 0
  const failed = <Repository extends object>(repository: Repository): Repository =>
    new Proxy(repository, {
      get: (target, name) => {
        const method: unknown = Reflect.get(target, name)
        if (!failing || typeof method !== 'function') return method
        return async () => {
          failures += 1
          throw new Error('connection refused')
        }
      },
    })
  const store: StorageRepositories = {
    nodes: failed(repositories.nodes),
    svms: failed(repositories.svms),
    volumes: failed(repositories.volumes),
    qtrees: failed(repositories.qtrees),
    quotaRules: failed(repositories.quotaRules),
    enforcedQuotas: failed(repositories.enforcedQuotas),
    limitStates: failed(repositories.limitStates),
    cloneTokens: failed(repositories.cloneTokens),
    splits: failed(repositories.splits),
    jobs: failed(repositories.jobs),
    notices: failed(repositories.notices),
    webhooks: failed(repositories.webhooks),
    selfTokens: failed(repositories.selfTokens),
    digests: failed(repositories.digests),
    usageHistory: failed(repositories.usageHistory),
  }
  return {
    store,
    failures: () => failures,
    fail: (on: boolean) => {
      failing = on
    },
  }
}

it('answers with 503 while the store is unavailable, and with 200 after that', async () => {
  const { store, fail } = failingStore()
  const { storage } = await openStorage({ repositories: store, lookSeconds: 3600 })
  const faults: unknown[] = []
  const handle = fetchHandler(storageRoutes(storage, { admin: () => true, onFault: (fault) => faults.push(fault) }))
  const ask = (path: string) => handle(new Request(`http://h${path}`, { headers: { authorization: 'Bearer x' } }))
  const paths = [
    RULES,
    TOKENS,
    VOLUMES,
    QTREES,
    JOBS,
    '/api/cluster/nodes',
    '/api/storage/quota/reports',
    '/api/support/events',
    '/api/support/webhooks',
    '/api/self/tokens',
    '/api/self/quotas?user=ada',
  ]
  fail(true)
  for (const path of paths) {
    const response = await ask(path)
    expect(response?.status, path).toBe(503)
    expect(response?.headers.get('retry-after')).toBe('1')
    expect(await response?.json()).toMatchObject({ error: { message: expect.stringMatching(/store/) } })
  }
  expect(faults).toHaveLength(paths.length)
  fail(false)
  for (const path of paths) expect((await ask(path))?.status, path).toBe(200)
})

it('stores a change and its job in one step', async () => {
  const repositories = memoryStorageRepositories()
  let cut = false
  const open = await openStorage({
    repositories: {
      ...repositories,
      jobs: {
        ...repositories.jobs,
        add: async (job) => {
          if (cut) throw new Error('the process died')
          await repositories.jobs.add(job)
        },
      },
    },
  })
  await createQtree(open, 'qt1')
  const target = { type: 'tree', qtree: 'qt1' } as const
  const on = { svm: { name: 'svm1' }, volume: { name: 'vol1' } }
  const { rule } = (await open.storage.quotaRules.create({ ...on, ...target, limits: {} }))._unsafeUnwrap()
  await setQuota(open, true)
  cut = true
  const change = { limits: { spaceHard: 10 * MiB } }
  const changed = (await open.storage.quotaRules.update(rule.uuid, change))._unsafeUnwrap()
  expect(await ended(open, changed.job)).toMatchObject({ state: 'success' })
  expect(() => open.volume.files.write('qt1/f', { size: 11 * MiB })).toThrow()
  const made = (await open.storage.qtrees.create({ ...on, name: 'qt2' }))._unsafeUnwrap()
  expect(await ended(open, made.job)).toMatchObject({ state: 'success' })
  expect(await open.volume.listQtrees()).toEqual(['qt1', 'qt2'])
})

it('continues a job after the store was unavailable', async () => {
  const { store, fail, failures } = failingStore()
  const open = await openStorage({
    repositories: store,
    lookSeconds: 3600,
    backend: (volume) => ({
      ...volume,
      async createQtree(name, settings) {
        await volume.createQtree(name, settings)
        if (failures() === 0) fail(true)
      },
    }),
    scheduler: {
      after: (milliseconds, run) => {
        const timer = setTimeout(() => {
          if (failures() > 0) fail(false)
          run()
        }, milliseconds)
        return () => clearTimeout(timer)
      },
    },
  })
  const request = { svm: { name: 'svm1' }, volume: { name: 'vol1' }, name: 'qt1' }
  const { job } = (await open.storage.qtrees.create(request))._unsafeUnwrap()
  expect(await ended(open, job)).toMatchObject({ state: 'success' })
  expect(failures()).toBeGreaterThan(0)
  expect(await open.volume.listQtrees()).toEqual(['qt1'])
})
