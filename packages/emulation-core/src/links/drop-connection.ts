import type { Context } from '../context.ts'
import type { Connection, InstanceRecord } from '../instances/instance.ts'

/** Uncables a NIC whose connection is no longer stored: ends its capture, frees its port and tells its instance. */
export async function dropConnection(
  { relay, udpPorts, captureFiles, live }: Context,
  { id, projectId }: Pick<InstanceRecord, 'id' | 'projectId'>,
  { adapter, port, nio, capture }: Connection,
): Promise<void> {
  const nic = { instanceId: id, adapter, port }
  await live.get(id)?.running.nicChanged?.({ adapter, port }, { connected: false, linkUp: false })
  await relay.disconnect(nic)
  if (nio.type === 'udp') udpPorts.detach(nio.localPort, nic)
  if (capture) captureFiles.release(projectId, capture.fileName)
}
