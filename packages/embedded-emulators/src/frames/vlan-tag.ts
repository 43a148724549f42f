import { readUint16, writeUint16 } from './bytes.ts'

/** Tag protocol identifiers that mark a tagged frame: 802.1Q, the two old vendor values and 802.1ad. */
export const tagProtocols: readonly number[] = [0x8100, 0x9100, 0x9200, 0x88a8]

const tagAt = 12
export const tagLength = 4

/** True when the type field holds one of {@link tagProtocols}. The frame has at least 14 bytes. */
export const isTagged = (frame: Uint8Array): boolean => {
  const type = readUint16(frame, tagAt)
  return type === 0x8100 || type === 0x88a8 || type === 0x9100 || type === 0x9200
}

/** The VLAN number of the outer tag, 0 when a tagged frame ends before it. */
export const vlanOf = (frame: Uint8Array): number => readUint16(frame, tagAt + 2) & 0xfff

/**
 * Writes the frame with a tag after its addresses into `target` and returns the new length.
 * `target` needs room for four bytes more than the frame and must not overlap it.
 */
export const pushTag = (frame: Uint8Array, protocol: number, vlan: number, target: Uint8Array): number => {
  target.set(frame.subarray(0, tagAt))
  writeUint16(target, tagAt, protocol)
  writeUint16(target, tagAt + 2, vlan)
  target.set(frame.subarray(tagAt), tagAt + tagLength)
  return frame.length + tagLength
}

/** Writes the frame without its outer tag into `target` and returns the new length. The frame has at least 16 bytes. */
export const popTag = (frame: Uint8Array, target: Uint8Array): number => {
  target.set(frame.subarray(0, tagAt))
  target.set(frame.subarray(tagAt + tagLength), tagAt)
  return frame.length - tagLength
}
