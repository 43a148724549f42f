import type { AnsweredRequest, UserCaller } from '@trivium/http-contract'
import { simulatedVolume } from '@trivium/simulated-volumes'
import type { CloneToken } from '../src/clone-tokens/clone-token.ts'
import type { Job, JobId } from '../src/jobs/job.ts'
import { oneOf } from '../src/query/query.ts'
import type { QuotaReport } from '../src/quota-reports/quota-report.ts'
import type { QuotaRule } from '../src/quota-rules/quota-rule.ts'
import type { Split, SplitId } from '../src/splits/split.ts'
import type { StorageRepositories } from '../src/storage-repositories.ts'
import type { Volume } from '../src/volumes/volume.ts'
import { type Answered, type AskOptions, type OpenHttp, openHttp } from './open-http.ts'
import { ended, MiB } from './open-storage.ts'

/** One record of each kind that belongs to a volume. The token is of its node. */
export interface VolumeRecords {
  readonly volume: Volume
  readonly rule: QuotaRule
  /** The id of the qtree. */
  readonly qtree: number
  readonly report: QuotaReport
  readonly job: Job
  readonly token: CloneToken
  /** Paused. */
  readonly split: Split
}

export interface UsersWorld {
  readonly http: OpenHttp
  readonly records: readonly VolumeRecords[]
  readonly answered: readonly AnsweredRequest[]
  /** Sends a request as a user of the host. */
  readonly as: (user: Omit<UserCaller, 'type'>, method: string, path: string, options?: AskOptions) => Promise<Answered>
}

export interface PlacedVolume {
  readonly name: string
  readonly svm: string
  readonly node: string
  /** The user that owns the token of the volume's node. @default the admin's */
  readonly owner?: string
}

/**
 * Opens a storage in which each volume has quotas, a file `f`, whose blocks another file shares, and records. A header names the user, others are the
 * admin.
 */
export async function openUsersWorld(
  repositories: StorageRepositories,
  volumes: readonly PlacedVolume[],
): Promise<UsersWorld> {
  const answered: AnsweredRequest[] = []
  const users = new Map<string, UserCaller>()
  const attached = volumes.map(({ name, svm, node }) => ({ name, svm, node, backend: simulatedVolume() }))
  for (const { backend } of attached) {
    backend.files.write('f', { size: MiB })
    await backend.cloneFile({ id: 'shared', source: 'f', destination: 'shared', overwrite: false })
  }
  const http = await openHttp(
    { repositories, volumes: attached },
    {
      authorize: { '*': ({ headers }) => users.get(String(headers['x-user'])) ?? 'default' },
      onAnswered: (one) => answered.push(one),
    },
  )
  const records: VolumeRecords[] = []
  for (const [index, placed] of volumes.entries()) records.push(await fill(http, placed, index))
  return {
    http,
    records,
    answered,
    as: (user, method, path, { headers, ...options } = {}) => {
      const name = JSON.stringify(user)
      users.set(name, { type: 'user', ...user })
      return http.ask(method, path, { ...options, headers: { ...headers, 'x-user': name } })
    },
  }
}

async function fill(http: OpenHttp, { name, svm, owner }: PlacedVolume, index: number): Promise<VolumeRecords> {
  const { storage, repositories } = http
  const named = { svm: { name: svm }, volume: { name } }
  const { qtree, job: creation } = (await storage.qtrees.create({ ...named, name: 'qt' }))._unsafeUnwrap()
  await ended(http, creation)
  const made = (await storage.quotaRules.create({ ...named, type: 'tree', qtree: 'qt' }))._unsafeUnwrap()
  await ended(http, (await storage.volumes.setQuota(qtree.volume.uuid, true))._unsafeUnwrap())
  const volume = (await storage.volumes.find(qtree.volume.uuid))._unsafeUnwrap()
  const { uuid, node } = volume
  const query = { all: [oneOf('volumeUuid', [uuid])] }
  const { records } = (await storage.quotaReports.list({ query, order: [], limit: 9 }))._unsafeUnwrap()
  const report = records.find(({ qtree: reported }) => reported?.name === 'qt')
  if (!report) throw new Error(`Volume ${name} has no report`)
  // No worker takes a job of this lane, so that it stays queued.
  const job: Job = {
    uuid: `00000000-0000-4000-8000-00000000000${index}` as JobId, // ids are opaque texts
    description: `PATCH /api/storage/volumes/${uuid}`,
    task: { kind: 'enable-quota', volume: uuid },
    lane: `waiting/${uuid}`,
    svm: volume.svm,
    node,
    state: 'queued',
  }
  await repositories.jobs.add(job)
  const at = http.clock.now()
  const reference = { uuid, name }
  await storage.notices.publish({ id: `split-${index}`, kind: 'split-done', at, svm: volume.svm, volume: reference })
  const samples = [
    { used: 2, size: 3, available: 1 },
    { target: report.index, used: 1 },
  ]
  await repositories.usageHistory.record(uuid, http.clock.now(), 300, samples)
  const reservation = { node: node.uuid, reserveSize: 4096, lifetimeSeconds: 9000 }
  const token = (
    await storage.cloneTokens.create({ ...reservation, ...(owner !== undefined && { ownerId: owner }) })
  )._unsafeUnwrap()
  const split: Split = {
    uuid: `00000000-0000-4000-8000-00000000001${index}` as SplitId, // ids are opaque texts
    svm: volume.svm,
    volume: { uuid, name },
    node,
    path: 'paused',
    identity: 'paused',
    size: 4096,
    remaining: 4096,
    position: 0,
    startedAt: http.clock.now(),
    state: 'paused',
  }
  await repositories.splits.begin(split, http.clock.now())
  return { volume, rule: made.rule, qtree: qtree.id, report, job, token, split }
}
