import type { Context } from '../context.ts'
import type { Connection, InstanceRecord } from '../instances/instance.ts'
import { presentInstance } from '../instances/present-instance.ts'
import type { Kind } from '../kinds/kind.ts'
import { tellNicAfterwards } from './tell-nic.ts'

/** Uncables a NIC whose connection is no longer stored: ends its capture, frees its port and tells its instance. */
export async function dropConnection<K extends Kind>(
  context: Context,
  record: InstanceRecord<K>,
  connection: Connection,
): Promise<void> {
  const { relay, udpPorts, captureFiles } = context
  const { id, projectId } = record
  const { adapter, port, nio, capture } = connection
  const nic = { instanceId: id, adapter, port }
  await tellNicAfterwards(context, record, connection, undefined)
  await relay.disconnect(nic)
  if (nio.type === 'udp') udpPorts.detach(nio.localPort, nic)
  if (!capture) return
  captureFiles.release(projectId, capture.fileName)
  context.emit('capture.stopped', await presentInstance(context, record), { nic: { adapter, port }, capture })
}
