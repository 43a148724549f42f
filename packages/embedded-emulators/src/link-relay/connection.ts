import type { Nio } from '@trivium/emulation-core'
import type { Clock } from '../clock/clock.ts'
import type { DeliveryQueue } from './delivery-queue.ts'
import { createLane } from './lane.ts'
import type { Connection, NicEntry } from './nic-entry.ts'
import type { RemoteAddress } from './remote-address.ts'

export interface ConnectionOptions {
  readonly entry: NicEntry
  readonly nio: Nio
  /** Present for UDP. */
  readonly remote: RemoteAddress | undefined
  readonly clock: Clock
  readonly random: () => number
  readonly deliveries: DeliveryQueue
}

/** Creates the network side of a NIC, not cabled yet. */
export function createConnection({ entry, nio, remote, clock, random, deliveries }: ConnectionOptions): Connection {
  const toNetwork = (frame: Uint8Array): boolean => {
    if (connection.channel !== undefined) return connection.channel.send(frame)
    if (connection.peer !== undefined) return deliveries.push(connection.peer, frame)
    return connection.udp === undefined
  }

  const toDevice = (frame: Uint8Array): boolean => {
    if (entry.device === undefined) return false
    entry.device(frame)
    return true
  }

  const outgoing = createLane({ clock, random, deliver: toNetwork })
  const incoming = createLane({ clock, random, deliver: toDevice })
  const connection: Connection = {
    outgoing,
    incoming,
    udp: nio.type === 'udp' && remote !== undefined ? { nio, remote } : undefined,
    peer: undefined,
    channel: undefined,
    waiting: 0,
    deliver: (frame) => incoming.send(frame),
  }
  return connection
}
