export const opcodes = { continuation: 0x0, text: 0x1, binary: 0x2, ping: 0x9 } as const

/** Encodes one frame of a client, with a mask of zeros, which leaves the payload as it is. */
export function frame(opcode: keyof typeof opcodes, payload: string | Uint8Array, { final = true } = {}): Buffer {
  const bytes = Buffer.from(payload)
  const first = (final ? 0x80 : 0) | opcodes[opcode]
  return Buffer.concat([Buffer.from([first, ...lengthOf(bytes.byteLength), 0, 0, 0, 0]), bytes])
}

function lengthOf(length: number): readonly number[] {
  if (length < 126) return [0x80 | length]
  if (length < 65_536) return [0x80 | 126, length >> 8, length & 0xff]
  const wide = Buffer.alloc(8)
  wide.writeBigUInt64BE(BigInt(length))
  return [0x80 | 127, ...wide]
}

export const handshake = (path: string, authorization: string): string =>
  [
    `GET ${path} HTTP/1.1`,
    'host: 127.0.0.1',
    `authorization: ${authorization}`,
    'connection: Upgrade',
    'upgrade: websocket',
    'sec-websocket-version: 13',
    'sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==',
    '\r\n',
  ].join('\r\n')
