import type { Kind } from '../kinds/kind.ts'
import type { ProjectId } from '../projects/project.ts'
import type { InstanceId, InstanceRecord } from './instance.ts'

/**
 * Stores the instances of open projects, and which removed instances still have files. Rejects where the store fails;
 * an absent record is `undefined`. Records are copied when they are stored and when they are returned.
 */
export interface InstanceRepository {
  /** Finds an instance. Ids are compared with case. */
  find(id: InstanceId): Promise<InstanceRecord | undefined>
  /** Lists the instances that match the filter, by default all. Oldest first, then by id. */
  list(filter?: { readonly projectId?: ProjectId; readonly kind?: Kind }): Promise<readonly InstanceRecord[]>
  /**
   * Adds the instance unless its id is taken, and deletes a removal of the same project, kind and id, in one atomic
   * step.
   *
   * @returns whether it was added
   */
  add(instance: InstanceRecord): Promise<boolean>
  /**
   * Replaces the record only where the stored revision is `instance.revision - 1`, in one atomic step.
   *
   * @returns whether it was replaced
   */
  replace(instance: InstanceRecord): Promise<boolean>
  /**
   * Replaces all these records, each as {@link replace} does, or none of them, in one atomic step.
   *
   * @returns whether they were replaced
   */
  replaceAll(instances: readonly InstanceRecord[]): Promise<boolean>
  /**
   * Removes the instance and stores its removal until {@link commit} or {@link removeProject}, in one atomic step.
   *
   * @returns whether it existed
   */
  remove(id: InstanceId): Promise<boolean>
  /** Lists the uncommitted removals of the project, oldest first. */
  removals(projectId: ProjectId): Promise<readonly Removal[]>
  /** Deletes one removal, after its files were deleted. */
  commit(removal: Removal): Promise<void>
  /** Deletes every instance and every removal of the project. */
  removeProject(projectId: ProjectId): Promise<void>
}

/** A removed instance whose files still exist. */
export interface Removal {
  readonly projectId: ProjectId
  readonly kind: Kind
  readonly id: InstanceId
}
