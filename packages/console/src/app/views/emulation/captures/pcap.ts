/** A packet of a capture file. */
export interface CapturedPacket {
  /** The number in the file, from 1. */
  readonly number: number
  /** Seconds since 1970. */
  readonly time: number
  /** The captured bytes, from the start of the packet. */
  readonly bytes: Uint8Array
  /** The length of the whole packet in bytes. */
  readonly length: number
  /** The number of the data link type in libpcap. */
  readonly linkType: number
}

/** Reads a file chunk by chunk. */
export interface PcapReader {
  /** Returns the packets that this chunk completes. @throws Error when the file is damaged or not a pcap file */
  push(chunk: Uint8Array): readonly CapturedPacket[]
}

const FILE_HEADER = 24
const PACKET_HEADER = 16
/** In bytes. A longer packet means that the file is damaged. */
const MAX_PACKET_BYTES = 262_144

interface FileHeader {
  readonly isLittleEndian: boolean
  readonly fractionsPerSecond: number
  readonly linkType: number
}

/** Creates a reader of a classic pcap file, of either byte order, with microseconds or nanoseconds. */
export function createPcapReader(): PcapReader {
  let rest = new Uint8Array(0)
  let header: FileHeader | undefined
  let count = 0

  return {
    push(chunk) {
      rest = concat(rest, chunk)
      const view = new DataView(rest.buffer, rest.byteOffset, rest.byteLength)
      let at = 0
      if (!header) {
        if (rest.length < FILE_HEADER) return []
        header = readHeader(view)
        at = FILE_HEADER
      }
      const { isLittleEndian, fractionsPerSecond, linkType } = header
      const packets: CapturedPacket[] = []
      while (at + PACKET_HEADER <= rest.length) {
        const word = (index: number) => view.getUint32(at + 4 * index, isLittleEndian)
        const kept = word(2)
        if (kept > MAX_PACKET_BYTES)
          throw new Error('The capture file is damaged: a packet is longer than 262144 bytes.')
        const end = at + PACKET_HEADER + kept
        if (end > rest.length) break
        count += 1
        packets.push({
          number: count,
          time: word(0) + word(1) / fractionsPerSecond,
          bytes: rest.slice(at + PACKET_HEADER, end),
          length: word(3),
          linkType,
        })
        at = end
      }
      rest = rest.slice(at)
      return packets
    },
  }
}

function concat(one: Uint8Array, other: Uint8Array): Uint8Array<ArrayBuffer> {
  const both = new Uint8Array(one.length + other.length)
  both.set(one)
  both.set(other, one.length)
  return both
}

const MICROSECONDS = 0xa1b2c3d4
const NANOSECONDS = 0xa1b23c4d

function readHeader(view: DataView): FileHeader {
  for (const isLittleEndian of [true, false]) {
    const magic = view.getUint32(0, isLittleEndian)
    if (magic !== MICROSECONDS && magic !== NANOSECONDS) continue
    return {
      isLittleEndian,
      fractionsPerSecond: magic === MICROSECONDS ? 1e6 : 1e9,
      linkType: view.getUint32(20, isLittleEndian) & 0xffff,
    }
  }
  throw new Error('This is not a pcap file.')
}
