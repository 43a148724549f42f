import { type SimulatedVolume, simulatedVolume } from '@trivium/simulated-volumes'
import { memoryStorageRepositories } from '@trivium/storage-core/memory'
import { onTestFinished } from 'vitest'
import type { Storage } from '../src/create-storage.ts'
import { createStorage } from '../src/create-storage.ts'
import type { StorageEvents } from '../src/events/storage-events.ts'
import type { Job } from '../src/jobs/job.ts'
import type { StorageOptions } from '../src/storage-options.ts'
import type { StorageRepositories } from '../src/storage-repositories.ts'
import type { Volume } from '../src/volumes/volume.ts'
import type { VolumeBackend } from '../src/volumes/volume-backend.ts'

export const MiB = 2 ** 20

export interface OpenStorage {
  readonly storage: Storage
  readonly repositories: StorageRepositories
  /** The file system of `vol1`. */
  readonly volume: SimulatedVolume
  readonly vol1: Volume
  readonly vol2: Volume
  readonly clock: Clock
  /** The names and values of the emitted events, in order. */
  readonly emitted: readonly (readonly [keyof StorageEvents, ...unknown[]])[]
  readonly faults: readonly unknown[]
}

export interface Clock {
  readonly now: () => Date
  readonly advance: (seconds: number) => void
}

export function createClock(start = Date.UTC(2026, 0, 2, 3, 4, 5)): Clock {
  let time = start
  return {
    now: () => new Date(time),
    advance: (seconds) => {
      time += seconds * 1000
    },
  }
}

export interface OpenStorageOptions extends Partial<Omit<StorageOptions, 'repositories'>> {
  readonly repositories?: StorageRepositories
  readonly volume?: SimulatedVolume
  /** Wraps the volume for the storage. */
  readonly backend?: (volume: SimulatedVolume) => VolumeBackend
  readonly clock?: Clock
}

/** Opens a storage with node1, svm1, vol1 and vol2, which is closed at the end of the test. */
export async function openStorage(options: OpenStorageOptions = {}): Promise<OpenStorage> {
  const {
    repositories = memoryStorageRepositories(),
    volume = simulatedVolume({ users: { sam: 1001, smith: 1002, ann: 1003 }, groups: { staff: 50 } }),
    backend = (one) => one,
    clock = createClock(),
    ...others
  } = options
  const faults: unknown[] = []
  const storage = createStorage({
    repositories,
    volumes: [
      { name: 'vol1', backend: backend(volume) },
      { name: 'vol2', backend: simulatedVolume() },
    ],
    now: clock.now,
    onFault: (fault) => faults.push(fault),
    lookSeconds: 0.05,
    ...others,
  })
  const emitted: [keyof StorageEvents, ...unknown[]][] = []
  for (const name of eventNames) storage.events.on(name, (...details: unknown[]) => emitted.push([name, ...details]))
  await storage.start()
  onTestFinished(() => storage.close())
  const { records } = await storage.volumes.list({
    query: { all: [] },
    order: [{ field: 'name', descending: false }],
    limit: 2,
  })
  const [vol1, vol2] = records
  if (!vol1 || !vol2) throw new Error('The volumes are missing')
  return { storage, repositories, volume, vol1, vol2, clock, emitted, faults }
}

const eventNames: readonly (keyof StorageEvents)[] = [
  'clone-token.created',
  'clone-token.expired',
  'clone-token.deleted',
  'clone-token.consumed',
  'split.requested',
  'split.started',
  'split.paused',
  'split.resumed',
  'split.cancelled',
  'split.progress',
  'split.done',
  'split.refused',
  'quota-rule.created',
  'quota-rule.modified',
  'quota-rule.deleted',
  'quota.state-changed',
  'quota.soft-limit-exceeded',
  'quota.soft-limit-normal',
  'quota.hard-limit-exceeded',
  'quota.threshold-exceeded',
  'quota.threshold-normal',
  'quota.grace-ended',
  'quota.enforcement-lost',
  'quota.enforcement-restored',
  'quota.limits-unwatched',
  'qtree.created',
  'qtree.modified',
  'qtree.deleted',
  'qtree.missing',
  'qtree.found',
  'volume.state-changed',
  'quota.limits-restored',
  'job.ended',
  'retention.removed',
  'notice.published',
  'webhook.delivered',
  'volume.cloned',
  'volume.deleted',
  'webhook.failed',
]

/** Waits for the end of a job. */
export async function ended({ storage }: Pick<OpenStorage, 'storage'>, job: Job): Promise<Job> {
  const end = await storage.jobs.wait(job, 20_000)
  if (!end.endedAt) throw new Error(`The job ${end.description} does not end`)
  return end
}

export async function setQuota(open: OpenStorage, enabled: boolean, volume = open.vol1): Promise<Job> {
  return ended(open, (await open.storage.volumes.setQuota(volume.uuid, enabled))._unsafeUnwrap())
}

export const stateOf = async ({ storage }: OpenStorage, { uuid }: Volume) =>
  (await storage.volumes.find(uuid))._unsafeUnwrap().quotaState

export async function createQtree(open: OpenStorage, name: string): Promise<void> {
  const request = { svm: { name: 'svm1' }, volume: { name: 'vol1' }, name }
  await ended(open, (await open.storage.qtrees.create(request))._unsafeUnwrap().job)
}

/** Resolves when the condition holds. It is checked every 5 ms, at most 2,000 times. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  for (let turn = 0; turn < 2000; turn += 1) {
    if (await holds()) return
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  throw new Error('The condition was never met')
}
