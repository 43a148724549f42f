import fc from 'fast-check'
import { hostileText } from './hostile-values.ts'

export const HANDSHAKE: readonly (readonly [name: string, value: string])[] = [
  ['connection', 'Upgrade'],
  ['upgrade', 'websocket'],
  ['sec-websocket-version', '13'],
  ['sec-websocket-key', 'dGhlIHNhbXBsZSBub25jZQ=='],
]

const FINAL = 0x80
const MASKED = 0x80

const opcode = fc.oneof({ arbitrary: fc.constantFrom(0, 1, 2, 8, 9, 10), weight: 4 }, fc.nat(15))

/** The announced length, mostly a wrong one. `null`, once in eight, stands for the right one. */
const claimedLength = fc.option(fc.constantFrom(0, 1, 2 ** 16, 2 ** 31, 2 ** 53), { freq: 8 })

const payload = fc.oneof(
  hostileText.map((text) => Buffer.from(text)),
  fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
)

const frame: fc.Arbitrary<Buffer> = fc
  .record({
    opcode,
    payload,
    claimedLength,
    isFinal: fc.oneof({ arbitrary: fc.constant(true), weight: 4 }, fc.constant(false)),
    isMasked: fc.oneof({ arbitrary: fc.constant(true), weight: 8 }, fc.constant(false)),
    reserved: fc.oneof({ arbitrary: fc.constant(0), weight: 8 }, fc.nat(7)),
  })
  .map(({ opcode, payload, claimedLength, isFinal, isMasked, reserved }) => {
    const first = (isFinal ? FINAL : 0) | (reserved << 4) | opcode
    const [length, ...wide] = lengthBytes(claimedLength ?? payload.length)
    // A mask of zeros leaves the payload as it is.
    const mask = isMasked ? [0, 0, 0, 0] : []
    return Buffer.concat([Buffer.from([first, (isMasked ? MASKED : 0) | length, ...wide, ...mask]), payload])
  })

/** Bytes that a client sends once a WebSocket is open, one character a byte: valid and invalid frames, and other bytes. */
export const hostileFrames: fc.Arbitrary<string> = fc
  .oneof(
    { arbitrary: fc.array(frame, { maxLength: 6 }), weight: 6 },
    fc.uint8Array({ maxLength: 200 }).map((bytes) => [Buffer.from(bytes)]),
  )
  .map((frames) => Buffer.concat(frames).toString('latin1'))

function lengthBytes(length: number): readonly [number, ...number[]] {
  if (length < 126) return [length]
  const wide = Buffer.alloc(8)
  wide.writeBigUInt64BE(BigInt(length))
  return length < 2 ** 16 ? [126, ...wide.subarray(6)] : [127, ...wide]
}
