import type { Impairments, UdpNio } from '@trivium/emulation-core/ports'
import type { CaptureWriter } from '../captures/capture-writer.ts'
import { createTaps, type Taps } from '../captures/taps.ts'
import type { DatagramChannel } from '../datagrams/datagram-channel.ts'
import type { Receiver } from './delivery-queue.ts'
import type { Lane } from './lane.ts'
import type { RemoteAddress } from './remote-address.ts'

/** Both sides of one NIC. */
export interface NicEntry {
  connection: Connection | undefined
  /** Delivers a frame to the device. */
  device: ((frame: Uint8Array) => void) | undefined
  /** Detaches the device, where it is a process. */
  unplug: (() => Promise<void>) | undefined
  readonly taps: Taps
  capture: { readonly writer: CaptureWriter; readonly remove: () => void } | undefined
  /** Functions that end the streams of its captures. */
  readonly streams: Set<() => void>
}

export const createNicEntry = (): NicEntry => ({
  connection: undefined,
  device: undefined,
  unplug: undefined,
  taps: createTaps(),
  capture: undefined,
  streams: new Set(),
})

/** The network side of a NIC. */
export interface Connection extends Receiver {
  readonly outgoing: Lane
  readonly incoming: Lane
  /** Absent for a null NIO, which discards every frame. */
  readonly udp: { readonly nio: UdpNio; readonly remote: RemoteAddress } | undefined
  /** The other end, where it is a connection of this relay. */
  peer: Connection | undefined
  /** Open while the other end is foreign. */
  channel: DatagramChannel | undefined
}

export function setImpairments(connection: Connection, { outgoing, incoming }: Impairments): void {
  connection.outgoing.setImpairment(outgoing)
  connection.incoming.setImpairment(incoming)
}

export function setLinkUp(connection: Connection, up: boolean): void {
  connection.outgoing.setUp(up)
  connection.incoming.setUp(up)
}

export function closeLanes(connection: Connection): void {
  connection.outgoing.close()
  connection.incoming.close()
}

/** Resolves when the bytes of the capture are written. Rejects when the disk failed. */
export async function endCapture(entry: NicEntry): Promise<void> {
  const { capture } = entry
  entry.capture = undefined
  capture?.remove()
  await capture?.writer.stop()
}

/** Ends every capture and stream of the NIC. */
export async function endCaptures(entry: NicEntry): Promise<void> {
  for (const endStream of entry.streams) endStream()
  await endCapture(entry)
}
