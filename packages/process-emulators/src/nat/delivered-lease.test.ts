import { describe, expect, it } from 'vitest'
import { labFrame, ports } from '../../tests/lab-frames.ts'
import { deliveredLease } from './delivered-lease.ts'

/** An answer of the program: it is sent to everyone. */
function leaseOf({ flags = 0, address = [192, 168, 122, 15] }: { flags?: number; address?: number[] } = {}) {
  const message = Array.from({ length: 240 }, () => 0)
  message[10] = flags
  message.splice(16, 4, ...address)
  message.splice(28, 6, 2, 0, 0, 0, 0, 7)
  const frame = labFrame({ from: '192.168.122.1', to: '255.255.255.255', payload: ports(67, 68, message) })
  frame.fill(0xff, 0, 6)
  return frame
}

/** The sum that RFC 1071 makes 0xffff where the checksum in the bytes is right. */
function sumOf(bytes: readonly number[]): number {
  let sum = 0
  for (let index = 0; index < bytes.length; index += 2) sum += ((bytes[index] ?? 0) << 8) | (bytes[index + 1] ?? 0)
  while (sum > 0xffff) sum = (sum & 0xffff) + (sum >> 16)
  return sum
}

describe('deliveredLease', () => {
  it('addresses an answer to its client, with the checksums of both headers', () => {
    const frame = deliveredLease(leaseOf())
    expect([...frame.subarray(0, 6)]).toEqual([2, 0, 0, 0, 0, 7])
    expect([...frame.subarray(30, 34)]).toEqual([192, 168, 122, 15])
    expect(sumOf([...frame.subarray(14, 34)])).toBe(0xffff)
    expect(sumOf([...frame.subarray(26, 34), 0, 17, ...frame.subarray(38, 40), ...frame.subarray(34)])).toBe(0xffff)
  })

  it('keeps the broadcast where the client asks for it, and where it gets no address', () => {
    for (const frame of [leaseOf({ flags: 0x80 }), leaseOf({ address: [0, 0, 0, 0] })])
      expect([...deliveredLease(frame).subarray(0, 6)]).toEqual([255, 255, 255, 255, 255, 255])
  })

  it('leaves every other frame as it is', () => {
    for (const frame of [
      labFrame({ from: '192.168.122.1', to: '192.168.122.15' }),
      labFrame({ from: '8.8.8.8', to: '192.168.122.15', payload: ports(67, 68, [1]) }),
      new Uint8Array(14),
    ])
      expect(deliveredLease(frame)).toBe(frame)
  })
})
