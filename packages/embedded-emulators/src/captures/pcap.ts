/** Frames longer than this are truncated in the file. Their record has the full length. */
const SNAP_LENGTH = 65_535

const PCAP_HEADER_LENGTH = 24

const RECORD_HEADER_LENGTH = 16

/** The header of a classic pcap file: little-endian, microseconds, version 2.4. */
export function pcapHeader(linkType: number): Uint8Array {
  const header = Buffer.alloc(PCAP_HEADER_LENGTH)
  header.writeUInt32LE(0xa1b2c3d4, 0)
  header.writeUInt16LE(2, 4)
  header.writeUInt16LE(4, 6)
  header.writeUInt32LE(SNAP_LENGTH, 16)
  header.writeUInt32LE(linkType, 20)
  return header
}

/** The record of one frame. `milliseconds` counts from 1970. */
export function pcapRecord(frame: Uint8Array, milliseconds: number): Uint8Array {
  const length = Math.min(frame.length, SNAP_LENGTH)
  const record = Buffer.allocUnsafe(RECORD_HEADER_LENGTH + length)
  const seconds = Math.floor(milliseconds / 1000)
  record.writeUInt32LE(seconds % 0x100000000, 0)
  record.writeUInt32LE(Math.floor((milliseconds - seconds * 1000) * 1000), 4)
  record.writeUInt32LE(length, 8)
  record.writeUInt32LE(frame.length, 12)
  record.set(length === frame.length ? frame : frame.subarray(0, length), RECORD_HEADER_LENGTH)
  return record
}

/** Splits bytes into the records that they consist of. */
export function* pcapRecords(bytes: Uint8Array): Generator<Uint8Array> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  for (let offset = 0; offset < bytes.length; ) {
    const end = offset + RECORD_HEADER_LENGTH + view.getUint32(offset + 8, true)
    yield bytes.subarray(offset, end)
    offset = end
  }
}
