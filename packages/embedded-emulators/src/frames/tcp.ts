import { byteAt, readUint16, readUint32, writeUint16, writeUint32 } from './bytes.ts'
import { protocols } from './ipv4.ts'
import { type Ends, transportChecksum } from './pseudo-header.ts'

const flags = { finish: 1, synchronise: 2, reset: 4, acknowledge: 16 } as const

const HEADER_LENGTH = 20

/**
 * Returns the segment with which a host without TCP refuses a received one (RFC 9293, 3.5.2). `undefined` for resets
 * and for segments that are truncated or damaged. `ends` are those of the received segment.
 */
export function refuseTcp(segment: Uint8Array, ends: Ends): Uint8Array | undefined {
  const control = byteAt(segment, 13)
  const dataAt = (byteAt(segment, 12) >> 4) * 4
  if (segment.length < HEADER_LENGTH || dataAt < HEADER_LENGTH || dataAt > segment.length) return undefined
  if ((control & flags.reset) !== 0 || transportChecksum(ends, protocols.tcp, segment) !== 0) return undefined
  const answer = new Uint8Array(HEADER_LENGTH)
  writeUint16(answer, 0, readUint16(segment, 2))
  writeUint16(answer, 2, readUint16(segment, 0))
  answer[12] = (HEADER_LENGTH / 4) << 4
  if ((control & flags.acknowledge) !== 0) {
    writeUint32(answer, 4, readUint32(segment, 8))
    answer[13] = flags.reset
  } else {
    const length = segment.length - dataAt + (control & flags.synchronise ? 1 : 0) + (control & flags.finish ? 1 : 0)
    writeUint32(answer, 8, (readUint32(segment, 4) + length) % 0x100000000)
    answer[13] = flags.reset | flags.acknowledge
  }
  const replyEnds: Ends =
    ends.family === 'ipv4'
      ? { family: 'ipv4', source: ends.destination, destination: ends.source }
      : { family: 'ipv6', source: ends.destination, destination: ends.source }
  writeUint16(answer, 16, transportChecksum(replyEnds, protocols.tcp, answer))
  return answer
}
