import { attempt } from '../attempt.ts'
import type { Context } from '../context.ts'
import type { Connection, InstanceRecord } from '../instances/instance.ts'
import type { Kind } from '../kinds/kind.ts'
import { kinds } from '../kinds/kinds.ts'
import { nicState } from './instance-wiring.ts'
import { type NicAddress, sameNic } from './nic-address.ts'

/** Notifies a running instance of a change to one of its NICs, except NICs that it only gets at its next start. */
export async function notifyNic<K extends Kind>(
  { live }: Pick<Context, 'live'>,
  { id, kind, settings }: InstanceRecord<K>,
  { adapter, port }: NicAddress,
  connection: Connection | undefined,
): Promise<void> {
  const found = live.get(id)
  if (!found) return
  const nic = { adapter, port }
  const existsWhileConnected = kinds[kind].nics(settings).length === 0
  if (!existsWhileConnected && !found.wiring.nics.some((other) => sameNic(other, nic))) return
  await found.running.nicChanged?.(nic, nicState(connection))
}

/** Notifies a running instance of a stored change. A failure only emits a log line. */
export async function notifyNicAfterwards<K extends Kind>(
  context: Pick<Context, 'live' | 'emit'>,
  record: InstanceRecord<K>,
  nic: NicAddress,
  connection: Connection | undefined,
): Promise<void> {
  const notified = await attempt(() => notifyNic(context, record, nic, connection))
  if (notified.isOk()) return
  const { projectId, name } = record
  const message = `${name} could not be notified of a change to port ${nic.port} of adapter ${nic.adapter}: ${notified.error.message}`
  context.emit('log', { projectId, level: 'warning', message })
}
