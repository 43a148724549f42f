import type { Context } from '../context.ts'
import type { Connection, InstanceRecord } from '../instances/instance.ts'
import { presentInstance } from '../instances/present-instance.ts'
import type { Kind } from '../kinds/kind.ts'
import { nicKey } from './nic.ts'
import { notifyNicAfterwards } from './notify-nic.ts'

/**
 * Disconnects NICs whose connections are no longer stored: notifies their instance, ends captures and frees UDP ports,
 * also those at which they pointed.
 */
export async function dropConnections<K extends Kind>(
  context: Context,
  record: InstanceRecord<K>,
  connections: readonly Connection[],
): Promise<void> {
  const { relay, udpPorts, captureFiles } = context
  const { id, projectId } = record
  for (const connection of connections) {
    const { adapter, port, nio, capture } = connection
    const nic = { instanceId: id, adapter, port }
    await notifyNicAfterwards(context, record, connection, undefined)
    await relay.disconnect(nic)
    if (nio.type === 'udp') udpPorts.detach(nio.localPort, nic)
    udpPorts.keepTargets(nic, [])
    context.reopened.delete(nicKey(nic))
    if (capture) captureFiles.release(projectId, capture.fileName)
  }
  // Last, as it reads the store: where that fails, everything is already freed.
  for (const { adapter, port, capture } of connections) {
    if (!capture) continue
    context.emit('capture.stopped', await presentInstance(context, record), { nic: { adapter, port }, capture })
  }
}
