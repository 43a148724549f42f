/** Reads fields of a frame by their offsets. A field beyond the end is 0. */
export const byteAt = (frame: Uint8Array, offset: number): number => frame[offset] ?? 0
export const wordAt = (frame: Uint8Array, offset: number): number =>
  (byteAt(frame, offset) << 8) | byteAt(frame, offset + 1)

export const ipv4At = (frame: Uint8Array, offset: number): string =>
  `${byteAt(frame, offset)}.${byteAt(frame, offset + 1)}.${byteAt(frame, offset + 2)}.${byteAt(frame, offset + 3)}`

export const ipv6At = (frame: Uint8Array, offset: number): string =>
  Array.from({ length: 8 }, (_none, index) => wordAt(frame, offset + 2 * index).toString(16)).join(':')
