import { err, ok, type Result } from 'neverthrow'
import { attempt } from '../attempt.ts'
import type { OpenConsole } from '../consoles/console-listener.ts'
import type { Context } from '../context.ts'
import type { EmulationError } from '../emulation-error.ts'
import type { Kind, SettingsOf } from '../kinds/kind.ts'
import { kinds } from '../kinds/kinds.ts'
import type { SettingsUpdate } from '../kinds/settings-update.ts'
import { dropConnections } from '../links/drop-connections.ts'
import { sameNic } from '../links/nic-address.ts'
import { isPlaceholder } from '../links/placeholder.ts'
import { type Undo, withUndo } from '../with-undo.ts'
import { exchangePorts, releaseExchanged } from './claim-ports.ts'
import { withInstance } from './find-instance.ts'
import type { Instance, InstanceRecord, InstanceReference } from './instance.ts'
import { withName, withNewName } from './instance-text.ts'
import type { LiveInstance } from './live-instance.ts'
import { presentInstance } from './present-instance.ts'
import { replaceText } from './replace-text.ts'
import { listenOn } from './start-instance.ts'
import { isSuperseded, nextRecord, storeInstance } from './store-instance.ts'

/** Changes of an instance. Fields that are left out stay. */
export interface InstanceUpdate<K extends Kind> {
  readonly name?: string
  readonly settings?: SettingsUpdate<K>
  /** The startup script or initial configuration. `%h` is replaced by the name. */
  readonly text?: string
}

export async function updateInstance<K extends Kind>(
  context: Context,
  reference: InstanceReference<K>,
  update: InstanceUpdate<K>,
): Promise<Result<Instance<K>, EmulationError>> {
  return withInstance(context, reference, 'change', async (record) => {
    const updated = await withUndo(
      (undo) => apply(context, record, update, undo),
      (release) =>
        context.pendingWrites.add({
          wasApplied: () => isSuperseded(context, record),
          finish: () => applyStored(context, record),
          release,
        }),
    )
    return updated.isErr() ? err(updated.error) : ok(await finishUpdate(context, record, updated.value))
  })
}

async function apply<K extends Kind>(
  context: Context,
  record: InstanceRecord<K>,
  update: InstanceUpdate<K>,
  undo: Undo,
): Promise<Result<InstanceRecord<K>, EmulationError>> {
  const { name = record.name } = update
  const definition = kinds[record.kind]
  const settings = await checkedSettings(context, record, update)
  if (settings.isErr()) return err(settings.error)

  const [before, after] = [definition.portsOf(record.settings), definition.portsOf(settings.value)]
  const exchanged = await exchangePorts(context, definition.portFields, before, after, undo)
  if (exchanged.isErr()) return err(exchanged.error)

  const written = await rewriteText(context, record, name, update.text, undo)
  if (written.isErr()) return err(written.error)

  const live = context.live.get(record.id)
  const movedConsolePort = live
    ? await moveConsolePort(context, record, live, before.console, after.console, undo)
    : ok(undefined)
  if (movedConsolePort.isErr()) return err(movedConsolePort.error)
  const applied = await attempt(async () => live?.running.update?.({ name, settings: settings.value }))
  if (applied.isErr()) return err(applied.error)
  if (live) undo(() => live.running.update?.({ name: record.name, settings: record.settings }))

  const kept = record.connections.filter((nic) => definition.findNic(settings.value, nic) === 'found')
  const stored = await storeInstance(context, record, {
    name,
    settings: settings.value,
    ...(kept.length < record.connections.length ? { connections: kept } : {}),
    ...(live ? { processes: live.running.processes } : {}),
  })
  if (stored.isErr()) return err(stored.error)

  await movedConsolePort.value?.close()
  return stored
}

/** Frees the ports and connections that an update has removed, and emits its events. */
async function finishUpdate<K extends Kind>(
  context: Context,
  before: InstanceRecord<K>,
  after: InstanceRecord<K>,
): Promise<Instance<K>> {
  const { portsOf } = kinds[after.kind]
  releaseExchanged(context, portsOf(before.settings), portsOf(after.settings))
  const removedConnections = before.connections.filter((nic) => !after.connections.some((other) => sameNic(other, nic)))
  await dropConnections(context, after, removedConnections)
  const instance = await presentInstance(context, after)
  for (const connection of removedConnections) {
    if (isPlaceholder(after.kind, connection)) continue
    const { adapter, port } = connection
    context.emit('link.changed', instance, { nic: { adapter, port } })
  }
  context.emit('instance.updated', instance)
  return instance
}

/** Applies an update again that was undone after a store failure, although the store has made it. */
async function applyStored(context: Context, record: InstanceRecord): Promise<void> {
  const stored = await nextRecord(context, record)
  if (!stored) return
  const live = context.live.get(stored.id)
  const applied = live ? await applyLive(context, live, record, stored) : ok(undefined)
  if (applied.isErr()) {
    const message = `The last update of ${stored.name} takes effect at its next start.`
    context.emit('log', { projectId: stored.projectId, level: 'warning', message })
  }
  await finishUpdate(context, record, stored)
}

async function applyLive<K extends Kind>(
  context: Context,
  live: LiveInstance,
  before: InstanceRecord<K>,
  after: InstanceRecord<K>,
): Promise<Result<void, EmulationError>> {
  const { kind, name, settings } = after
  const { portsOf } = kinds[kind]
  const old = await moveConsolePort(
    context,
    after,
    live,
    portsOf(before.settings).console,
    portsOf(settings).console,
    () => {},
  )
  if (old.isErr()) return err(old.error)
  await old.value?.close()
  return attempt(async () => live.running.update?.({ name, settings }))
}

async function checkedSettings<K extends Kind>(
  context: Context,
  { kind, name, settings }: InstanceRecord<K>,
  update: InstanceUpdate<K>,
): Promise<Result<SettingsOf<K>, EmulationError>> {
  if (!update.settings) return ok(settings)
  const definition = kinds[kind]
  const next = definition.update(settings, update.settings)
  const changed = definition.fixedSettings?.find((setting) => settings[setting] !== next[setting])
  if (changed !== undefined) return err({ type: 'setting-fixed', kind, name, setting: changed })
  const objection = definition.objection?.(next)
  if (objection) return err(objection)
  const emulator = context.emulators[kind]
  if (isEqualExceptPorts(settings, next)) return ok(next)
  return emulator?.check ? attempt(async () => (await emulator.check?.(next)) ?? next) : ok(next)
}

/** Whether settings need no check. An image that was deleted since does not prevent a new name. */
function isEqualExceptPorts(before: object, after: object): boolean {
  const [one, other] = [before, after].map((settings) => JSON.stringify({ ...settings, console: 0, monitor: 0 }))
  return one === other
}

/** Writes a new text, or replaces the name in the existing one. */
async function rewriteText(
  { repositories, files }: Context,
  { kind, id, projectId, name: before }: InstanceRecord,
  name: string,
  text: string | undefined,
  undo: Undo,
): Promise<Result<void, EmulationError>> {
  const { textFile } = kinds[kind]
  if (!textFile || (text === undefined && name === before)) return ok(undefined)
  const project = await repositories.projects.find(projectId)
  if (!project) return err({ type: 'project-not-found', projectId })
  const directory = { project, kind, id }
  const current = text ?? (await files.readText(directory, textFile.name))
  if (current === undefined) return ok(undefined)
  const content = text === undefined ? withNewName(current, before, name) : withName(text, name)
  if (content.isErr()) return err(content.error)
  return attempt(() => replaceText(files, directory, textFile.name, content.value, undo))
}

/** Opens the new port of the console. @returns the old port, to be closed once the update is stored */
async function moveConsolePort(
  context: Context,
  record: InstanceRecord,
  live: LiveInstance,
  before: number | undefined,
  after: number | undefined,
  undo: Undo,
): Promise<Result<OpenConsole | undefined, EmulationError>> {
  const old = live.listener
  if (!old || after === undefined || before === after) return ok(undefined)
  const opened = await attempt(() => listenOn(context, record, after, live.serve))
  if (opened.isErr()) return err(opened.error)
  live.listener = opened.value
  undo(async () => {
    live.listener = old
    await opened.value.close()
  })
  return ok(old)
}
