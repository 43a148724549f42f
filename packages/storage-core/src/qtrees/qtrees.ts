import { err, ok, type Result, ResultAsync } from 'neverthrow'
import type { Job } from '../jobs/job.ts'
import type { JobTask } from '../jobs/job-task.ts'
import type { JobLabel, JobQueue } from '../jobs/jobs.ts'
import type { Page, PageRequest } from '../query/page.ts'
import type { Query } from '../query/query.ts'
import type { StorageRepositories } from '../storage-repositories.ts'
import { type FindVolumeError, findVolume, type NamedVolume } from '../volumes/find-volume.ts'
import { quotaLane } from '../volumes/lanes.ts'
import type { VolumeId } from '../volumes/volume.ts'
import { isQtreeName } from './check-qtree-name.ts'
import type { Qtree, QtreeChange, QtreeField } from './qtree.ts'

/** Why an operation on a qtree was refused. Later failures are in the job. */
export type QtreeError =
  | FindVolumeError
  | { readonly type: 'qtree-not-found'; readonly volume: string; readonly id: number }
  | { readonly type: 'qtree-exists'; readonly name: string }
  | { readonly type: 'qtree-name-missing' }
  | { readonly type: 'invalid-qtree-name'; readonly name: string }
  /** Rules of the volume name a qtree of the new name, or are still enforced for one. */
  | { readonly type: 'qtree-name-in-rules'; readonly name: string }
  /** The volume already has {@link MAXIMUM_QTREES}. */
  | { readonly type: 'too-many-qtrees' }
  /** Id 0 is the volume itself. */
  | { readonly type: 'qtree-is-volume'; readonly action: 'modify' | 'delete' }

export interface ChangedQtree {
  readonly qtree: Qtree
  readonly job: Job
}

/** The qtrees of the volumes. Changes run in the returned job. */
export interface Qtrees {
  /** Stores a qtree, and starts the job that creates its directory. */
  create(request: CreateQtree, label?: JobLabel): ResultAsync<ChangedQtree, QtreeError>
  find(volume: string, id: number): ResultAsync<Qtree, QtreeError>
  list(request: PageRequest<QtreeField>): Promise<Page<Qtree>>
  count(query: Query<QtreeField>): Promise<number>
  /** Changes a qtree. A new name is also set in the rules of the qtree. No other rule may have it. */
  update(volume: string, id: number, change: QtreeChange, label?: JobLabel): ResultAsync<ChangedQtree, QtreeError>
  /** Deletes a qtree with its files and its rules. */
  delete(volume: string, id: number, label?: JobLabel): ResultAsync<ChangedQtree, QtreeError>
}

/** A new qtree. Its id is the lowest free one, from 1 on. An SVM and a volume are required. */
export interface CreateQtree extends NamedVolume {
  /**
   * Required, at most 64 bytes of UTF-8, without `/` and control characters. `.`, `..` and `.snapshot` are refused.
   */
  readonly name?: string
  /** Stored for clients. No volume backend applies it. @default 'unix' */
  readonly securityStyle?: Qtree['securityStyle']
  /** Octal digits read as a decimal number, such as the 755 of `chmod`. @default 755 */
  readonly unixPermissions?: number
  /** The name of an export policy. Stored for clients. No volume backend applies it. @default 'default' */
  readonly exportPolicy?: string
}

export interface QtreesOptions {
  readonly repositories: StorageRepositories
  readonly jobs: JobQueue
}

export function createQtrees({ repositories, jobs }: QtreesOptions): Qtrees {
  const { qtrees, volumes, quotaRules, enforcedQuotas } = repositories
  const notFound = (volume: string, id: number) => err({ type: 'qtree-not-found', volume, id } as const)
  // An id of a client is a text, and is looked up unchecked.
  const lookUp = (volume: string, id: number) => qtrees.find(volume as VolumeId, id)

  async function submit(qtree: Qtree, task: JobTask, label?: JobLabel): Promise<ChangedQtree> {
    const volume = await volumes.find(qtree.volume.uuid)
    if (!volume) throw new Error(`The volume of qtree "${qtree.name}" does not exist`)
    const { svm, node } = volume
    return { qtree, job: await jobs.submit({ ...label, task, lane: quotaLane(volume.uuid), svm, node }) }
  }

  async function create(request: CreateQtree, label?: JobLabel): Promise<Result<ChangedQtree, QtreeError>> {
    const found = await findVolume(repositories, request, { needsSvm: true })
    if (found.isErr()) return err(found.error)
    const { name, securityStyle = 'unix', unixPermissions = 755, exportPolicy = 'default' } = request
    if (name === undefined || name === '') return err({ type: 'qtree-name-missing' } as const)
    if (!isQtreeName(name)) return err({ type: 'invalid-qtree-name', name } as const)
    const { svm, uuid, name: volumeName } = found.value
    const volume = { uuid, name: volumeName }
    const draft = { ...label, lane: quotaLane(uuid), svm, node: found.value.node }
    const jobOf = (id: number) => jobs.prepare({ ...draft, task: { kind: 'create-qtree', volume: uuid, id, name } })
    let job = jobOf(0)
    const created = await qtrees.create(
      { svm, volume, name, securityStyle, unixPermissions, exportPolicy },
      (qtree) => {
        job = jobOf(qtree.id)
        return job
      },
    )
    if (created === 'taken') return err({ type: 'qtree-exists', name } as const)
    if (created === 'full') return err({ type: 'too-many-qtrees' } as const)
    jobs.begin()
    return ok({ qtree: created, job })
  }

  async function isNamedInRules(volume: VolumeId, name: string): Promise<boolean> {
    const [rules, enforced] = await Promise.all([quotaRules.listOfVolume(volume), enforcedQuotas.list(volume)])
    return [...rules, ...enforced].some(({ target }) => target.qtree === name)
  }

  async function update(
    volume: string,
    id: number,
    change: QtreeChange,
    label?: JobLabel,
  ): Promise<Result<ChangedQtree, QtreeError>> {
    const qtree = await lookUp(volume, id)
    if (!qtree) return notFound(volume, id)
    if (id === 0) return err({ type: 'qtree-is-volume', action: 'modify' } as const)
    if (change.name !== undefined && change.name !== qtree.name) {
      if (!isQtreeName(change.name)) return err({ type: 'invalid-qtree-name', name: change.name } as const)
      const taken = await qtrees.findByName(qtree.volume.uuid, change.name)
      if (taken) return err({ type: 'qtree-exists', name: change.name } as const)
      if (await isNamedInRules(qtree.volume.uuid, change.name)) {
        return err({ type: 'qtree-name-in-rules', name: change.name } as const)
      }
    }
    const task = { kind: 'update-qtree', volume: qtree.volume.uuid, id, name: qtree.name, change } as const
    return ok(await submit({ ...qtree, ...change }, task, label))
  }

  async function remove(volume: string, id: number, label?: JobLabel): Promise<Result<ChangedQtree, QtreeError>> {
    const qtree = await lookUp(volume, id)
    if (!qtree) return notFound(volume, id)
    if (id === 0) return err({ type: 'qtree-is-volume', action: 'delete' } as const)
    const task = { kind: 'remove-qtree', volume: qtree.volume.uuid, id, name: qtree.name } as const
    return ok(await submit(qtree, task, label))
  }

  return {
    create: (request, label) => new ResultAsync(create(request, label)),
    find: (volume, id) =>
      ResultAsync.fromSafePromise(lookUp(volume, id)).andThen((qtree) => (qtree ? ok(qtree) : notFound(volume, id))),
    list: (request) => qtrees.list(request),
    count: (query) => qtrees.count(query),
    update: (volume, id, change, label) => new ResultAsync(update(volume, id, change, label)),
    delete: (volume, id, label) => new ResultAsync(remove(volume, id, label)),
  }
}
