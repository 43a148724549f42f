import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase } from '@trivium/sql-repositories'
import { migrateStorage, sqlStorageRepositories } from '@trivium/sql-repositories/storage'
import { memoryStorageRepositories } from '@trivium/storage-core/memory'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { StoredNotice } from '../src/notices/stored-notice.ts'
import { oneOf } from '../src/query/query.ts'
import type { StorageRepositories } from '../src/storage-repositories.ts'
import { StoreFailure } from '../src/store-failure.ts'
import { type OpenStorage, openStorage, until } from './open-storage.ts'

const publish = async ({ storage, clock }: OpenStorage, ...numbers: readonly number[]) => {
  for (const number of numbers) {
    await storage.notices.publish({ id: `n${number}`, kind: 'split-done', at: clock.now() })
  }
}

/** Takes so many notices, and leaves the follower open. */
async function take(followed: AsyncIterator<StoredNotice>, count: number): Promise<readonly string[]> {
  const ids: string[] = []
  while (ids.length < count) {
    const { done, value } = await followed.next()
    if (done) break
    ids.push(value.notice.id)
  }
  return ids
}

const idsFrom = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, index) => `n${first + index}`)

/** Counts the reads of the newest notice and of pages, and the turns of the search for work. */
function counting({ notices, jobs, ...others }: StorageRepositories) {
  const counted = { newest: 0, pages: 0, turns: 0 }
  const list: typeof notices.list = (request) => {
    counted[request.limit === 1 ? 'newest' : 'pages'] += 1
    return notices.list(request)
  }
  const removeEnded: typeof jobs.removeEnded = (before) => {
    counted.turns += 1
    return jobs.removeEnded(before)
  }
  return { counted, repositories: { ...others, notices: { ...notices, list }, jobs: { ...jobs, removeEnded } } }
}

async function openReplica(file: string) {
  const database = await openDatabase(`sqlite:${file}`)
  await migrateStorage(database)
  onTestFinished(() => database.close())
  return openStorage({ repositories: sqlStorageRepositories(database) })
}

async function newFile() {
  const directory = await mkdtemp(join(tmpdir(), 'trivium-notices-'))
  onTestFinished(() => rm(directory, { recursive: true, force: true }))
  return join(directory, 'storage.sqlite')
}

describe('a follower of the notices', () => {
  it('gets those that are published after its call, also before its first read', async () => {
    const open = await openStorage()
    await publish(open, 1, 2)
    const followed = open.storage.notices.follow()
    await publish(open, 3)
    expect(await take(followed, 1)).toEqual(['n3'])
    const next = take(followed, 2)
    await publish(open, 4, 5)
    expect(await next).toEqual(['n4', 'n5'])
  })

  it('gets every notice after a number once and in order, over several pages and while more are published', async () => {
    const open = await openStorage()
    await publish(open, ...Array.from({ length: 250 }, (_, index) => index + 1))
    const followed = open.storage.notices.follow({ after: 40 })
    const begun = take(followed, 130)
    const publishing = publish(open, ...Array.from({ length: 60 }, (_, index) => index + 251))
    expect(await begun).toEqual(idsFrom(41, 170))
    await publishing
    expect(await take(followed, 140)).toEqual(idsFrom(171, 310))
  })

  it('gets only notices that match its query', async () => {
    const open = await openStorage()
    const { storage, clock, vol1, vol2 } = open
    const query = { all: [oneOf('volumeUuid', [vol2.uuid])] }
    const followed = storage.notices.follow({ after: 0, query })
    for (const [id, { uuid, name }] of [
      ['a', vol1],
      ['b', vol2],
      ['c', vol1],
      ['d', vol2],
    ] as const) {
      await storage.notices.publish({ id, kind: 'split-done', at: clock.now(), volume: { uuid, name } })
    }
    expect(await take(followed, 2)).toEqual(['b', 'd'])
  })

  it('begins with the next notice after a number that the log has not reached', async () => {
    const open = await openStorage()
    await publish(open, 1, 2)
    const followed = open.storage.notices.follow({ after: Number.MAX_SAFE_INTEGER })
    const next = take(followed, 1)
    await publish(open, 3)
    expect(await next).toEqual(['n3'])
  })

  it('gets the notices of another process over the same database in their order', async () => {
    const file = await newFile()
    const one = await openReplica(file)
    const other = await openReplica(file)
    const followed = one.storage.notices.follow()
    const all = take(followed, 60)
    for (let first = 1; first <= 60; first += 2) {
      await Promise.all([publish(one, first), publish(other, first + 1)])
    }
    const ids = await all
    expect(ids.toSorted()).toEqual(idsFrom(1, 60).toSorted())
    const { records } = await other.storage.notices.list({ query: { all: [] }, order: [], limit: 100 })
    expect(ids).toEqual(records.map(({ notice }) => notice.id))
    expect([...one.faults, ...other.faults]).toEqual([])
  })

  it('waits with all others for one look at the log, which is not read without followers', async () => {
    const { counted, repositories } = counting(memoryStorageRepositories())
    const open = await openStorage({ repositories, lookSeconds: 0.01 })
    const abort = new AbortController()
    const { signal } = abort
    const ends = Array.from({ length: 20 }, () => take(open.storage.notices.follow({ signal }), 1))
    await until(() => counted.newest >= 20 + 5)
    expect(counted.pages).toBe(20)
    abort.abort()
    expect(await Promise.all(ends)).toEqual(Array.from({ length: 20 }, () => []))
    const before = { ...counted }
    await until(() => counted.turns >= before.turns + 5)
    // A look may have begun before the end.
    expect(counted.newest).toBeLessThanOrEqual(before.newest + 1)
    expect(counted.pages).toBe(20)
  })

  it('ends when its signal aborts, when the storage closes, and when its reader leaves', async () => {
    const open = await openStorage()
    await publish(open, 1)
    const abort = new AbortController()
    const { notices } = open.storage
    const aborted = notices.follow({ signal: abort.signal }).next()
    abort.abort()
    expect(await aborted).toEqual({ done: true, value: undefined })
    expect(await notices.follow({ after: 0, signal: abort.signal }).next()).toEqual({ done: true, value: undefined })
    for await (const { notice } of notices.follow({ after: 0 })) {
      expect(notice.id).toBe('n1')
      break
    }
    const closed = notices.follow().next()
    await open.storage.close()
    expect(await closed).toEqual({ done: true, value: undefined })
    expect(await notices.follow({ after: 0 }).next()).toEqual({ done: true, value: undefined })
    expect(open.faults).toEqual([])
  })

  it('rejects when the store fails, and leaves the others', async () => {
    const repositories = memoryStorageRepositories()
    const { notices } = repositories
    let fails = false
    const list: typeof notices.list = async (request) => {
      if (fails && request.limit > 1) throw new Error('down')
      return notices.list(request)
    }
    const open = await openStorage({ repositories: { ...repositories, notices: { ...notices, list } } })
    const followed = open.storage.notices.follow()
    const waiting = followed.next()
    await publish(open, 1)
    expect(await waiting).toMatchObject({ done: false })
    const failing = followed.next()
    fails = true
    await publish(open, 2)
    await expect(failing).rejects.toThrow(StoreFailure)
    fails = false
    expect(await take(open.storage.notices.follow({ after: 1 }), 1)).toEqual(['n2'])
  })

  it.each([
    [{ after: -1 }, RangeError],
    [{ after: 0.5 }, RangeError],
    [{ after: 2 ** 53 }, RangeError],
    [{ after: '1' }, TypeError],
    [{ signal: {} }, TypeError],
  ])('refuses %j', async (request, error) => {
    const { storage } = await openStorage()
    expect(() => Reflect.apply(storage.notices.follow, storage.notices, [request])).toThrow(error)
  })
})
