import type { Context } from '../context.ts'
import type { Kind } from '../kinds/kind.ts'
import { kinds } from '../kinds/kinds.ts'
import { dropConnections } from '../links/drop-connections.ts'
import { releasePorts } from './claim-ports.ts'
import type { InstanceRecord } from './instance.ts'

/** Frees the ports, the slot and the connections of a stopped instance in memory. The caller holds its lock. */
export async function releaseInstance<K extends Kind>(context: Context, record: InstanceRecord<K>): Promise<void> {
  releasePorts(context, kinds[record.kind].portsOf(record.settings))
  context.slots.release(record)
  await dropConnections(context, record, record.connections)
}
