import { readUint16, writeUint16 } from './bytes.ts'

/** Tag protocol identifiers that mark a tagged frame: 802.1Q, two old values of vendors, and 802.1ad. */
export const tagProtocols: readonly number[] = [0x8100, 0x9100, 0x9200, 0x88a8]

const TAG_AT = 12
export const TAG_LENGTH = 4

/** Returns whether the type field has one of {@link tagProtocols}. The frame has at least 14 bytes. */
export function isTagged(frame: Uint8Array): boolean {
  const type = readUint16(frame, TAG_AT)
  return type === 0x8100 || type === 0x88a8 || type === 0x9100 || type === 0x9200
}

/** The VLAN number of the outer tag. 0 when the frame ends before it. */
export const vlanOf = (frame: Uint8Array): number => readUint16(frame, TAG_AT + 2) & 0xfff

/**
 * Writes the frame with a tag after its addresses into `target` and returns the new length.
 * `target` has at least four bytes more than the frame and does not overlap it.
 */
export function pushTag(frame: Uint8Array, protocol: number, vlan: number, target: Uint8Array): number {
  target.set(frame.subarray(0, TAG_AT))
  writeUint16(target, TAG_AT, protocol)
  writeUint16(target, TAG_AT + 2, vlan)
  target.set(frame.subarray(TAG_AT), TAG_AT + TAG_LENGTH)
  return frame.length + TAG_LENGTH
}

/** Writes the frame without its outer tag into `target` and returns the new length. The frame has at least 16 bytes. */
export function popTag(frame: Uint8Array, target: Uint8Array): number {
  target.set(frame.subarray(0, TAG_AT))
  target.set(frame.subarray(TAG_AT + TAG_LENGTH), TAG_AT)
  return frame.length - TAG_LENGTH
}
