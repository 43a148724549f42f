import { err, ok, type Result } from 'neverthrow'
import { attempt } from '../attempt.ts'
import type { Context } from '../context.ts'
import type { EmulationError } from '../emulation-error.ts'
import type { Kind, SettingsOf } from '../kinds/kind.ts'
import { kinds } from '../kinds/kinds.ts'
import type { NewSettings } from '../kinds/new-settings.ts'
import type { Project, ProjectId } from '../projects/project.ts'
import { type Undo, withUndo } from '../with-undo.ts'
import { claimPorts } from './claim-ports.ts'
import { findInstance } from './find-instance.ts'
import type { Instance, InstanceId, InstanceRecord } from './instance.ts'
import { withName } from './instance-text.ts'
import { presentInstance } from './present-instance.ts'
import { replaceText } from './replace-text.ts'
import { startInstance } from './start-instance.ts'

/** The fields of a new instance. */
export interface NewInstance<K extends Kind> {
  readonly projectId: ProjectId
  readonly kind: K
  /**
   * The id of an existing instance of the same kind and project returns that instance unchanged. An id of another kind
   * or project fails with `instance-id-taken`.
   *
   * @default a new id
   */
  readonly id?: InstanceId
  /** Need not be unique. Replaces `%h` in `text`. Over HTTP a file name of 1 to 255 bytes without slashes. */
  readonly name: string
  /** Settings that are left out get their defaults, ports are allocated. */
  readonly settings: NewSettings<K>
  /**
   * The startup script of a virtual PC or the initial configuration of a router. Ignored for other kinds. `%h` is
   * replaced by the name. More than 1 MiB fails with `text-too-long`.
   *
   * @default none
   */
  readonly text?: string
}

type Created<K extends Kind> = Result<Instance<K>, EmulationError>

export async function createInstance<K extends Kind>(context: Context, request: NewInstance<K>): Promise<Created<K>> {
  await context.recovered()
  const { projectId, kind } = request
  // Only a new id gets a tag.
  const id = request.id ?? (context.newId() as InstanceId)
  return context.projectLocks.shared(projectId, () =>
    context.instanceLocks.exclusive(id, async (): Promise<Created<K>> => {
      const project = await context.repositories.projects.find(projectId)
      if (!project) return err({ type: 'project-not-found', projectId })
      if (request.id !== undefined && (await context.repositories.instances.find(id))) {
        const existing = await findInstance(context, { projectId, kind, id })
        return existing.isErr()
          ? err({ type: 'instance-id-taken', id })
          : ok(await presentInstance(context, existing.value, project))
      }
      const objection = context.projectStates.objection(projectId, 'change')
      if (objection) return err({ type: objection, projectId })
      const made = await withUndo(
        (undo) => createWithUndo(context, project, { ...request, id }, undo),
        (release) =>
          context.pendingWrites.add({
            wasApplied: async () => (await context.repositories.instances.find(id)) !== undefined,
            release,
          }),
      )
      if (made.isOk()) context.emit('instance.created', made.value)
      return made
    }),
  )
}

async function createWithUndo<K extends Kind>(
  context: Context,
  project: Project,
  request: NewInstance<K> & { readonly id: InstanceId },
  undo: Undo,
): Promise<Created<K>> {
  const { projectId, kind, id, name, text } = request
  const { repositories, files, instanceCounts, slots, limits } = context
  const limit = limits.instancesOfAProject
  if (instanceCounts.instances(projectId) >= limit) return err({ type: 'limit-reached', what: 'instances', limit })
  instanceCounts.addInstance(projectId)
  undo(() => instanceCounts.removeInstance(projectId), 'claim')

  const settings = await completeSettings(context, request, undo)
  if (settings.isErr()) return err(settings.error)

  const slot = slots.take({ kind, projectId })
  if (slot === 'full') return err({ type: 'slots-exhausted', kind })
  if (slot !== 'none') undo(() => slots.release({ kind, projectId, slot }), 'claim')

  const { textFile } = kinds[kind]
  if (textFile && text !== undefined) {
    const content = withName(text, name)
    if (content.isErr()) return err(content.error)
    const directory = { project, kind, id }
    const written = await attempt(() => replaceText(files, directory, textFile.name, content.value, undo))
    if (written.isErr()) return err(written.error)
  }

  const record: InstanceRecord<K> = {
    id,
    projectId,
    kind,
    name,
    settings: settings.value,
    ...(slot === 'none' ? {} : { slot }),
    connections: [],
    processes: [],
    createdAt: context.now(),
    revision: 0,
  }
  if (!(await repositories.instances.add(record))) return err({ type: 'instance-id-taken', id })
  instanceCounts.noteChange(projectId, record.createdAt)
  undo(async () => {
    await repositories.instances.remove(id)
    await repositories.instances.commit({ projectId, kind, id })
  })
  if (!kinds[kind].alwaysOn || !context.emulators[kind]) return ok(await presentInstance(context, record, project))
  const started = await startInstance(context, record)
  return started.isErr() ? err(started.error) : ok(await presentInstance(context, started.value, project))
}

/** Takes the ports, completes the settings and has the emulator check them. */
async function completeSettings<K extends Kind>(
  context: Context,
  { kind, name, settings }: NewInstance<K>,
  undo: Undo,
): Promise<Result<SettingsOf<K>, EmulationError>> {
  const definition = kinds[kind]
  const emulator = context.emulators[kind]
  const ports = await claimPorts(context, definition.portFields, definition.portsOf(settings), undo)
  if (ports.isErr()) return err(ports.error)
  const complete = definition.complete(settings, { name, ports: ports.value })
  const objection = definition.objection?.(complete)
  if (objection) return err(objection)
  return emulator?.check ? attempt(async () => (await emulator.check?.(complete)) ?? complete) : ok(complete)
}
