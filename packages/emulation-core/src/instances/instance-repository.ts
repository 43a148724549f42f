import type { Kind } from '../kinds/kind.ts'
import type { ProjectId } from '../projects/project.ts'
import type { InstanceId, InstanceRecord } from './instance.ts'

/**
 * Where instances of open projects are kept, and which removed ones still have files.
 * Rejections mean that the store failed; what is absent is `undefined`. Records are handed out and taken in as copies.
 */
export interface InstanceRepository {
  find(id: InstanceId): Promise<InstanceRecord | undefined>
  /** Those of one project, or all; oldest first, equal ages by id. */
  list(filter?: { readonly projectId?: ProjectId; readonly kind?: Kind }): Promise<readonly InstanceRecord[]>
  /**
   * Adds the instance unless its id is taken, and forgets a removal of the same project, kind and id, in one atomic step.
   *
   * @returns whether it was added
   */
  add(instance: InstanceRecord): Promise<boolean>
  /**
   * Stores a new version only where the stored revision is `instance.revision - 1`, in one atomic step.
   *
   * @returns whether it was stored
   */
  replace(instance: InstanceRecord): Promise<boolean>
  /**
   * Removes the instance and remembers the removal until {@link commit} or {@link removeProject}, in one atomic step.
   *
   * @returns whether it was there
   */
  remove(id: InstanceId): Promise<boolean>
  /** The project's removals that were not committed, oldest first. */
  removals(projectId: ProjectId): Promise<readonly Removal[]>
  /** Forgets one removal: its files are gone. */
  commit(removal: Removal): Promise<void>
  /** Removes every instance and every removal of the project. */
  removeProject(projectId: ProjectId): Promise<void>
}

/** An instance that was removed and whose files are still there. */
export interface Removal {
  readonly projectId: ProjectId
  readonly kind: Kind
  readonly id: InstanceId
}
