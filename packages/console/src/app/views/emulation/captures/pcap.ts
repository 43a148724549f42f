/** A packet as it lies in a capture file. */
export interface CapturedPacket {
  /** From 1 on. */
  readonly number: number
  /** In seconds since 1970. */
  readonly time: number
  /** What was kept of it. */
  readonly bytes: Uint8Array
  /** How long it was. */
  readonly length: number
  /** libpcap's number of its data link type. */
  readonly linkType: number
}

export interface PcapReader {
  /** @returns the packets that are complete now; throws where it is no pcap file */
  push(chunk: Uint8Array): readonly CapturedPacket[]
}

const FILE_HEADER = 24
const PACKET_HEADER = 16
/** Longer ones are no packets: the file is damaged. */
const LONGEST_PACKET = 262_144

interface FileHeader {
  readonly isLittleEndian: boolean
  readonly fractionsPerSecond: number
  readonly linkType: number
}

/** Reads a classic pcap file as it comes. */
export function createPcapReader(): PcapReader {
  let rest = new Uint8Array(0)
  let header: FileHeader | undefined
  let count = 0

  return {
    push(chunk) {
      rest = joined(rest, chunk)
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
        if (kept > LONGEST_PACKET) throw new Error('The capture file is damaged: a packet is longer than any can be.')
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

function joined(one: Uint8Array, other: Uint8Array): Uint8Array<ArrayBuffer> {
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
  throw new Error('This is no pcap file.')
}
