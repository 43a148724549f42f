import { err, ok, ResultAsync } from 'neverthrow'
import type { Context } from '../context.ts'
import type { EmulationError } from '../emulation-error.ts'
import type { InstanceResources, MacTableEntry } from '../emulators/running-instance.ts'
import type { Kind } from '../kinds/kind.ts'
import { kinds } from '../kinds/kinds.ts'
import type { ProjectId } from '../projects/project.ts'
import { touchProject } from '../projects/touch-project.ts'
import { arrangeInstances } from './arrange-instances.ts'
import type { ArrangementChange } from './arrangement-change.ts'
import { createInstance, type NewInstance } from './create-instance.ts'
import { findInstance, withInstance } from './find-instance.ts'
import type { Instance, InstanceReference, LabNode } from './instance.ts'
import { listInstances } from './list-instances.ts'
import { presentInstance } from './present-instance.ts'
import { removeInstance } from './remove-instance.ts'
import { toLabNode } from './to-lab-node.ts'
import { type InstanceUpdate, updateInstance } from './update-instance.ts'

/** Instances of every kind. Operations on one instance run one after the other. */
export interface Instances {
  /** Creates an instance. An id that exists in the same project and kind returns that instance unchanged. */
  create<K extends Kind>(request: NewInstance<K>): ResultAsync<Instance<K>, EmulationError>
  /** Finds an instance. Fails with `instance-elsewhere` where another project has it. */
  find<K extends Kind>(reference: InstanceReference<K>): ResultAsync<Instance<K>, EmulationError>
  /** Lists the instances of a project, oldest first, then by id. */
  list<K extends Kind>(projectId: ProjectId, kind?: K): ResultAsync<readonly Instance<K>[], EmulationError>
  /**
   * Updates all given fields, or none. Settings that cannot change while the instance runs take effect at the next
   * start.
   */
  update<K extends Kind>(
    reference: InstanceReference<K>,
    update: InstanceUpdate<K>,
  ): ResultAsync<Instance<K>, EmulationError>
  /**
   * Changes where instances of any kinds are shown, and when the start of the lab starts them: at most 1,000. Each is
   * stored by itself. Fails before the first change where an id is not one of the project.
   *
   * @returns the instances in the order of the changes
   */
  arrange(projectId: ProjectId, changes: readonly ArrangementChange[]): ResultAsync<readonly LabNode[], EmulationError>
  /** Lists the instances of all kinds of a project without their texts, oldest first, then by id. */
  nodes(projectId: ProjectId): ResultAsync<readonly LabNode[], EmulationError>
  /** Stops and removes an instance, and keeps its files until the project is committed. */
  remove(reference: InstanceReference): ResultAsync<void, EmulationError>
  /** Reads the startup script or initial configuration; `null` where it is absent. */
  text(reference: InstanceReference): ResultAsync<string | null, EmulationError>
  /**
   * Measures the CPU time and memory that an instance uses; `undefined` where the emulator does not know them. Fails with
   * `instance-not-started` where it does not run.
   */
  resources(reference: InstanceReference): ResultAsync<InstanceResources | undefined, EmulationError>
  /** Lists the addresses that a switch has learned. Fails with `instance-not-started` where it does not run. */
  macTable(reference: InstanceReference<'ethernet-switch'>): ResultAsync<readonly MacTableEntry[], EmulationError>
  /** Removes the addresses that a switch has learned. No effect where it does not run. */
  clearMacTable(reference: InstanceReference<'ethernet-switch'>): ResultAsync<void, EmulationError>
}

export function createInstances(context: Context): Instances {
  const { repositories, files, live } = context

  const find = async <K extends Kind>(reference: InstanceReference<K>) => {
    await context.recovered()
    return findInstance(context, reference)
  }
  const findRunning = (reference: InstanceReference) =>
    new ResultAsync(find(reference)).andThen(({ id, kind, name }) => {
      const running = live.get(id)?.running
      return running ? ok(running) : err({ type: 'instance-not-started', kind, name } as const)
    })

  return {
    create: (request) => new ResultAsync(createInstance(context, request)),
    find: (reference) => new ResultAsync(find(reference)).map((record) => presentInstance(context, record)),
    list: (projectId, kind) => new ResultAsync(listInstances(context, projectId, kind)),
    update: (reference, update) => new ResultAsync(updateInstance(context, reference, update)),
    arrange: (projectId, changes) => new ResultAsync(arrangeInstances(context, projectId, changes)),
    nodes: (projectId) =>
      new ResultAsync(
        context.recovered().then(async () => {
          if (!(await repositories.projects.find(projectId)))
            return err({ type: 'project-not-found', projectId } as const)
          return ok((await repositories.instances.list({ projectId })).map((record) => toLabNode(context, record)))
        }),
      ),
    remove: (reference) =>
      new ResultAsync(
        withInstance(context, reference, 'change', async (record) => {
          const instance = await presentInstance(context, record)
          const removed = await removeInstance(context, record)
          if (removed.isErr()) return removed
          await touchProject(context, record.projectId)
          context.emit('instance.deleted', instance)
          return removed
        }),
      ),
    text: (reference) =>
      new ResultAsync(find(reference)).map(async ({ projectId, kind, id }) => {
        const { textFile } = kinds[kind]
        const project = await repositories.projects.find(projectId)
        if (!textFile || !project) return null
        return (await files.readText({ project, kind, id }, textFile.name)) ?? null
      }),
    resources: (reference) => findRunning(reference).map((running) => running.resources?.()),
    macTable: (reference) => findRunning(reference).map(async (running) => (await running.macTable?.()) ?? []),
    clearMacTable: (reference) =>
      new ResultAsync(find(reference)).map(async ({ id }) => live.get(id)?.running.clearMacTable?.()),
  }
}
