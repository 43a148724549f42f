import { err, ok, type Result, ResultAsync } from 'neverthrow'
import type { Context } from '../context.ts'
import type { EmulationError } from '../emulation-error.ts'
import type { StormDrops } from '../emulators/running-instance.ts'
import { findInstance, withInstance } from '../instances/find-instance.ts'
import type { Connection, InstanceRecord, InstanceReference } from '../instances/instance.ts'
import { presentInstance } from '../instances/present-instance.ts'
import { isSuperseded, nextRecord, storeInstance } from '../instances/store-instance.ts'
import type { SwitchPort } from '../kinds/ethernet-switch/settings.ts'
import { withoutPort, withPort } from '../kinds/ethernet-switch/updates.ts'
import type { Kind, SettingsOf } from '../kinds/kind.ts'
import { withPendingWrite } from '../pending-writes.ts'
import { withUndo } from '../with-undo.ts'
import { checkNic, connectNic, reconnectStored } from './connect-nic.ts'
import { dropConnections } from './drop-connections.ts'
import { type Impairments, noImpairments } from './impairments.ts'
import type { LinkCounters } from './link-relay.ts'
import { type NicAddress, sameNic } from './nic-address.ts'
import type { Nio } from './nio.ts'
import { notifyNicAfterwards } from './notify-nic.ts'
import { isPlaceholder } from './placeholder.ts'

/** Connects and disconnects NICs, also while their instance runs. */
export interface Connections {
  /**
   * Connects a NIC. An existing NIO is replaced, and its capture continues; a switch refuses that with
   * `nic-connected`, except with `reopenExistingProjects`. By default the link is up and has no impairments.
   */
  connect(
    reference: InstanceReference,
    nic: NicAddress,
    connection: { readonly nio: Nio } & ConnectionChanges,
  ): ResultAsync<Connection, EmulationError>
  /** Connects a switch port and sets its VLAN settings in one step. */
  connectSwitchPort(
    reference: InstanceReference<'ethernet-switch'>,
    port: number,
    connection: { readonly nio: Nio; readonly settings?: Omit<SwitchPort, 'port'> } & ConnectionChanges,
  ): ResultAsync<Connection, EmulationError>
  /** Reads a connection and its counters. Fails with `nic-not-connected` where the NIC has none. */
  find(reference: InstanceReference, nic: NicAddress): ResultAsync<ConnectionView, EmulationError>
  /** Changes a connection without disconnecting it. Fields that are left out stay. */
  change(
    reference: InstanceReference,
    nic: NicAddress,
    changes: ConnectionChanges,
  ): ResultAsync<Connection, EmulationError>
  /**
   * Disconnects a NIC, ends its capture and frees its UDP port and the one at which it points. A switch also removes the
   * port's settings. No effect on a NIC without a NIO.
   */
  disconnect(reference: InstanceReference, nic: NicAddress): ResultAsync<void, EmulationError>
}

/** The changeable fields of a connection. */
export interface ConnectionChanges {
  /** Replaces the impairments of both directions. */
  readonly impairments?: Impairments
  /** Whether the connection carries frames. */
  readonly linkUp?: boolean
}

/** A connection with its counters since it was made. */
export interface ConnectionView {
  readonly connection: Connection
  readonly counters: LinkCounters
  /** Present for a running port of a switch with storm control. */
  readonly stormDrops?: StormDrops
}

export function createConnections(context: Context): Connections {
  const { relay } = context

  const emitLinkChanged = async (record: InstanceRecord, nic: NicAddress, connection?: Connection) =>
    context.emit('link.changed', await presentInstance(context, record), connection ? { nic, connection } : { nic })

  const connect = <K extends Kind>(
    reference: InstanceReference<K>,
    { adapter, port }: NicAddress,
    { nio, impairments = noImpairments, linkUp = true }: { readonly nio: Nio } & ConnectionChanges,
    settingsOf: (settings: SettingsOf<K>) => SettingsOf<K> = (settings) => settings,
  ) =>
    new ResultAsync(
      withInstance(context, reference, 'change', async (record): Promise<Result<Connection, EmulationError>> => {
        const connection: Connection = { adapter, port, nio, impairments, linkUp }
        const settings = settingsOf(record.settings)
        const stored = await withUndo(
          (undo) => connectNic(context, record, connection, settings, undo),
          (release) =>
            context.pendingWrites.add({
              wasApplied: () => isSuperseded(context, record),
              finish: () => reconnectStored(context, record, { adapter, port }),
              release,
            }),
        )
        if (stored.isErr()) return err(stored.error)
        // The stored connection has the capture that continues.
        const made = stored.value.connections.find((other) => sameNic(other, connection)) ?? connection
        await emitLinkChanged(stored.value, { adapter, port }, made)
        return ok(made)
      }),
    )

  return {
    connect,
    connectSwitchPort: (reference, port, { settings, ...connection }) =>
      connect(reference, { adapter: 0, port }, connection, (before) =>
        settings ? withPort(before, { port, ...settings }) : before,
      ),
    find: (reference, nic) =>
      new ResultAsync(context.recovered().then(() => findInstance(context, reference))).andThen((record) =>
        findConnection(record, nic).asyncMap(async (connection) => ({
          connection,
          counters: await relay.counters({ instanceId: record.id, adapter: nic.adapter, port: nic.port }),
          ...(await stormDropsOf(context, record, nic)),
        })),
      ),
    change: (reference, nic, changes) =>
      new ResultAsync(
        withInstance(context, reference, 'change', async (record): Promise<Result<Connection, EmulationError>> => {
          const found = findConnection(record, nic)
          if (found.isErr()) return err(found.error)
          const changed: Connection = { ...found.value, ...changes }
          const connections = record.connections.map((other) => (other === found.value ? changed : other))
          const stored = await withPendingWrite(
            context.pendingWrites,
            () => storeInstance(context, record, { connections }),
            {
              wasApplied: () => isSuperseded(context, record),
              finish: () => reconnectStored(context, record, nic),
            },
          )
          if (stored.isErr()) return err(stored.error)
          const key = { instanceId: record.id, adapter: nic.adapter, port: nic.port }
          relay.setImpairments(key, changed.impairments)
          if (changed.linkUp !== found.value.linkUp) {
            relay.setLinkUp(key, changed.linkUp)
            await notifyNicAfterwards(context, stored.value, nic, changed)
          }
          await emitLinkChanged(stored.value, nic, changed)
          return ok(changed)
        }),
      ),
    disconnect: (reference, nic) =>
      new ResultAsync(
        withInstance(context, reference, 'change', async (record): Promise<Result<undefined, EmulationError>> => {
          const found = findConnection(record, nic)
          if (found.isErr())
            return found.error.type === 'nic-not-connected' ? forgetPort(context, record, nic) : err(found.error)
          const connections = record.connections.filter((other) => other !== found.value)
          const stored = await withPendingWrite(
            context.pendingWrites,
            () => storeWithout(context, record, nic, connections),
            {
              wasApplied: async () =>
                (await nextRecord(context, record))?.connections.every((other) => !sameNic(other, nic)) ?? false,
              finish: () => dropConnections(context, record, [found.value]),
            },
          )
          if (stored.isErr()) return err(stored.error)
          await dropConnections(context, stored.value, [found.value])
          await emitLinkChanged(stored.value, nic)
          return ok(undefined)
        }),
      ),
  }
}

export function findConnection<K extends Kind>(
  record: InstanceRecord<K>,
  nic: NicAddress,
): Result<Connection, EmulationError> {
  const checked = checkNic(record, nic)
  if (checked.isErr()) return err(checked.error)
  const found = record.connections.find((connection) => sameNic(connection, nic))
  if (found && !isPlaceholder(record.kind, found)) return ok(found)
  return err({ type: 'nic-not-connected', kind: record.kind, name: record.name, nic })
}

const isSwitch = (record: InstanceRecord): record is InstanceRecord<'ethernet-switch'> & InstanceRecord =>
  record.kind === 'ethernet-switch'

async function stormDropsOf(
  context: Context,
  record: InstanceRecord,
  nic: NicAddress,
): Promise<Pick<ConnectionView, 'stormDrops'>> {
  if (!isSwitch(record)) return {}
  const setting = record.settings.ports.find(({ port }) => port === nic.port)
  const isLimited = Object.keys(setting?.stormControl ?? {}).length > 0
  const stormDrops = isLimited && (await context.live.get(record.id)?.running.stormDrops?.(nic))
  return stormDrops ? { stormDrops } : {}
}

function storeWithout(
  context: Context,
  record: InstanceRecord,
  { port }: NicAddress,
  connections: readonly Connection[],
): Promise<Result<InstanceRecord, EmulationError>> {
  return isSwitch(record)
    ? storeInstance<Kind>(context, record, { connections, settings: withoutPort(record.settings, port) })
    : storeInstance(context, record, { connections })
}

/** Removes the settings of a switch port that is not connected. */
async function forgetPort(
  context: Context,
  record: InstanceRecord,
  nic: NicAddress,
): Promise<Result<undefined, EmulationError>> {
  if (!isSwitch(record) || !record.settings.ports.some(({ port }) => port === nic.port)) return ok(undefined)
  const stored = await storeWithout(context, record, nic, record.connections)
  if (stored.isErr()) return err(stored.error)
  const { name, settings } = stored.value
  await context.live.get(record.id)?.running.update?.({ name, settings })
  context.emit('instance.updated', await presentInstance(context, stored.value))
  return ok(undefined)
}
