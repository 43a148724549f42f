import { expect, it } from 'vitest'
import { createPcapReader } from './pcap.ts'

function pcapFile(isLittleEndian: boolean, packets: readonly Uint8Array[]): Uint8Array {
  const file = new Uint8Array(24 + packets.reduce((sum, { length }) => sum + 16 + length, 0))
  const view = new DataView(file.buffer)
  view.setUint32(0, 0xa1b2c3d4, isLittleEndian)
  view.setUint32(20, 1, isLittleEndian)
  let at = 24
  for (const [index, packet] of packets.entries()) {
    for (const [word, value] of [1000 + index, 500_000, packet.length, packet.length + 7].entries()) {
      view.setUint32(at + 4 * word, value, isLittleEndian)
    }
    file.set(packet, at + 16)
    at += 16 + packet.length
  }
  return file
}

const packets = [new Uint8Array([1, 2, 3]), new Uint8Array(0), new Uint8Array([4])]

it.each([true, false])('reads a file in chunks of any size (little endian: %s)', (isLittleEndian) => {
  const file = pcapFile(isLittleEndian, packets)
  for (let size = 1; size <= file.length; size += 1) {
    const reader = createPcapReader()
    const found = []
    for (let at = 0; at < file.length; at += size) found.push(...reader.push(file.subarray(at, at + size)))
    expect(found.map(({ number, time, length, bytes }) => [number, time, length, bytes])).toEqual([
      [1, 1000.5, 10, packets[0]],
      [2, 1001.5, 7, packets[1]],
      [3, 1002.5, 8, packets[2]],
    ])
  }
})

it('refuses a file that is not a capture, and packets that are too long', () => {
  expect(() => createPcapReader().push(new Uint8Array(24))).toThrow('not a pcap file')
  const damaged = pcapFile(true, packets)
  new DataView(damaged.buffer).setUint32(24 + 8, 2 ** 31, true)
  expect(() => createPcapReader().push(damaged)).toThrow('damaged')
})
