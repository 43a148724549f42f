import { IPV4_HEADER_LENGTH, type Ipv4 } from '../../frames/ipv4.ts'

/** Splits the packet as the MTU requires. Returns a packet that must not be fragmented whole. */
export function fragment(packet: Ipv4, mtu: number): readonly Ipv4[] {
  const room = Math.floor((mtu - IPV4_HEADER_LENGTH) / 8) * 8
  if (packet.payload.length + IPV4_HEADER_LENGTH <= mtu || packet.dontFragment) return [packet]
  const pieces: Ipv4[] = []
  for (let at = 0; at < packet.payload.length; at += room) {
    const payload = packet.payload.subarray(at, at + room)
    pieces.push({ ...packet, payload, fragmentOffset: at, moreFragments: at + room < packet.payload.length })
  }
  return pieces
}

/** Reassembles packets from their fragments. */
export interface Reassembly {
  /** @returns the whole packet once its last missing fragment has arrived */
  add(piece: Ipv4): Ipv4 | undefined
}

/** Incomplete packets that are kept. A new one replaces the oldest. */
const MAX_PACKETS = 16
const MAX_PIECES = 64
const MAX_BYTES = 65_535

export function createReassembly(): Reassembly {
  const packets = new Map<string, Ipv4[]>()

  const join = (pieces: readonly Ipv4[]): Ipv4 | undefined => {
    const ordered = [...pieces].sort((one, other) => one.fragmentOffset - other.fragmentOffset)
    const first = ordered[0]
    const last = ordered.at(-1)
    if (first === undefined || last === undefined || last.moreFragments) return undefined
    let end = 0
    for (const { fragmentOffset, payload } of ordered) {
      if (fragmentOffset > end) return undefined
      end = Math.max(end, fragmentOffset + payload.length)
    }
    if (end > MAX_BYTES) return undefined
    const payload = new Uint8Array(end)
    for (const piece of ordered) payload.set(piece.payload, piece.fragmentOffset)
    return { ...first, payload, moreFragments: false, fragmentOffset: 0 }
  }

  return {
    add(piece) {
      if (!piece.moreFragments && piece.fragmentOffset === 0) return piece
      const key = `${piece.source}/${piece.destination}/${piece.protocol}/${piece.identification}`
      const pieces = packets.get(key) ?? []
      packets.delete(key)
      const oldest = packets.keys().next()
      if (packets.size >= MAX_PACKETS && oldest.done !== true) packets.delete(oldest.value)
      if (pieces.length < MAX_PIECES) pieces.push({ ...piece, payload: Uint8Array.from(piece.payload) })
      const whole = join(pieces)
      if (whole === undefined) packets.set(key, pieces)
      return whole
    },
  }
}
