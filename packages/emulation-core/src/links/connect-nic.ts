import { err, ok, type Result } from 'neverthrow'
import { attempt } from '../attempt.ts'
import type { Context } from '../context.ts'
import type { EmulationError } from '../emulation-error.ts'
import type { Connection, InstanceRecord } from '../instances/instance.ts'
import { nextRecord, storeInstance } from '../instances/store-instance.ts'
import type { Kind, SettingsOf } from '../kinds/kind.ts'
import { kinds } from '../kinds/kinds.ts'
import type { Undo } from '../with-undo.ts'
import { nicKey } from './nic.ts'
import { type NicAddress, sameNic } from './nic-address.ts'
import { notifyNic } from './notify-nic.ts'

/** Fails where the instance does not have the NIC. */
export function checkNic<K extends Kind>(
  { kind, name, settings }: InstanceRecord<K>,
  nic: NicAddress,
): Result<undefined, EmulationError> {
  const found = kinds[kind].findNic(settings, nic)
  if (found === 'found') return ok(undefined)
  return err({ type: found === 'no-adapter' ? 'adapter-not-found' : 'port-not-found', kind, name, nic })
}

/** Connects a NIC or replaces its connection. The caller holds the instance's lock. */
export async function connectNic<K extends Kind>(
  context: Context,
  record: InstanceRecord<K>,
  connection: Connection,
  settings: SettingsOf<K>,
  undo: Undo,
): Promise<Result<InstanceRecord<K>, EmulationError>> {
  const { kind, id, name } = record
  const { adapter, port, nio, impairments, linkUp } = connection
  const checked = checkNic(record, connection)
  if (checked.isErr()) return err(checked.error)
  const objection = kinds[kind].objection?.(settings)
  if (objection) return err(objection)
  if (!kinds[kind].nioTypes.includes(nio.type)) return err({ type: 'nio-unsupported', kind, nioType: nio.type })

  const before = record.connections.find((other) => sameNic(other, connection))
  const nic = { instanceId: id, adapter, port }
  const isKept = context.reopenExistingProjects || context.reopened.has(nicKey(nic))
  if (before && kinds[kind].connectsOnce && !isKept)
    return err({ type: 'nic-connected', kind, name, nic: { adapter, port } })
  const limit = context.limits.connectionsOfAnInstance
  if (!before && record.connections.length >= limit) return err({ type: 'limit-reached', what: 'connections', limit })

  const localPort = nio.type === 'udp' ? nio.localPort : undefined
  const oldPort = before?.nio.type === 'udp' ? before.nio.localPort : undefined
  const { udpPorts } = context
  const project = await context.repositories.projects.find(record.projectId)
  if (!project) return err({ type: 'project-not-found', projectId: record.projectId })
  if (localPort !== undefined) {
    const attached = await udpPorts.attach(localPort, nic, project)
    if (attached !== 'attached') return err({ type: 'port-unavailable', use: 'udp', port: localPort, reason: attached })
    if (localPort !== oldPort) undo(() => udpPorts.giveBack(localPort, nic), 'claim')
  }

  const oldTargets = udpPorts.targetsOf(nic)
  undo(() => udpPorts.keepTargets(nic, oldTargets), 'claim')
  const cabled = await attempt(() => context.relay.connect(nic, nio, { impairments, linkUp }))
  if (cabled.isErr()) return err(cabled.error)
  undo(() =>
    before
      ? context.relay.connect(nic, before.nio, { impairments: before.impairments, linkUp: before.linkUp })
      : context.relay.disconnect(nic),
  )
  const { ownPort } = cabled.value
  if (ownPort !== undefined) await udpPorts.pointAt(ownPort, nic, project)

  const running = context.live.get(id)?.running
  const plugged = await attempt(async () => {
    await notifyNic(context, record, connection, connection)
    if (settings !== record.settings) await running?.update?.({ name, settings })
  })
  if (plugged.isErr()) return err(plugged.error)
  undo(async () => {
    if (settings !== record.settings) await running?.update?.({ name, settings: record.settings })
    await notifyNic(context, record, connection, before)
  })

  const kept: Connection = before?.capture ? { ...connection, capture: before.capture } : connection
  const connections = before
    ? record.connections.map((other) => (other === before ? kept : other))
    : [...record.connections, kept]
  const stored = await storeInstance(context, record, { connections, settings })
  if (stored.isErr()) return err(stored.error)
  if (oldPort !== undefined && oldPort !== localPort) udpPorts.detach(oldPort, nic)
  udpPorts.keepTargets(nic, ownPort === undefined ? [] : [ownPort])
  context.reopened.delete(nicKey(nic))
  return stored
}

/** Connects a NIC again whose connection was undone after a store failure, although the store has it. */
export async function reconnectStored(
  context: Context,
  record: Pick<InstanceRecord, 'id' | 'revision' | 'connections'>,
  { adapter, port }: NicAddress,
): Promise<void> {
  const { udpPorts, repositories } = context
  const stored = await nextRecord(context, record)
  const connection = stored?.connections.find((other) => sameNic(other, { adapter, port }))
  if (!stored || !connection) return
  const { nio, impairments, linkUp } = connection
  const nic = { instanceId: stored.id, adapter, port }
  const before = record.connections.find((other) => sameNic(other, nic))?.nio
  const project = await repositories.projects.find(stored.projectId)
  const live = context.live.get(stored.id)
  live?.wiring.setConnections(stored.connections)
  const cabled = await attempt(async () => {
    const { ownPort } = await context.relay.connect(nic, nio, { impairments, linkUp })
    if (ownPort !== undefined && project) await udpPorts.pointAt(ownPort, nic, project)
    udpPorts.keepTargets(nic, ownPort === undefined ? [] : [ownPort])
    if (before?.type === 'udp' && (nio.type !== 'udp' || nio.localPort !== before.localPort))
      udpPorts.detach(before.localPort, nic)
    await notifyNic(context, stored, connection, connection)
    await live?.running.update?.({ name: stored.name, settings: stored.settings })
  })
  if (cabled.isOk()) return
  const message = `Port ${port} of adapter ${adapter} of ${stored.name} could not be connected: ${cabled.error.message}`
  context.emit('log', { projectId: stored.projectId, level: 'warning', message })
}
