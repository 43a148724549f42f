const PLAIN = /^[a-zA-Z0-9_-]+$/
const PREFIX = 'enc_'

/**
 * Returns an id of a call in the characters that Anthropic accepts. The same id has always the same form, and
 * {@link decodedCallId} reverses it.
 */
export function encodedCallId(id: string): string {
  if (PLAIN.test(id) && !id.startsWith(PREFIX)) return id
  return PREFIX + encodedUnits(id)
}

/** The ids of one request. Each is encoded once, because a call and its result have the same. */
export class CallIds {
  readonly #encoded = new Map<string, string>()

  /** Returns what {@link encodedCallId} returns. */
  encoded(id: string): string {
    const known = this.#encoded.get(id)
    if (known !== undefined) return known
    const encoded = encodedCallId(id)
    this.#encoded.set(id, encoded)
    return encoded
  }
}

const decoder = new TextDecoder()
const UNDERSCORE = 0x5f
/** What a digit below ten, and one from ten on, takes to be a character. */
const [ZERO, TEN] = [0x30, 0x61 - 10]

/** Writes other units than letters, digits and `-` as `_4e00_`, into bytes: ten times as fast as a function for each. */
function encodedUnits(id: string): string {
  const bytes = new Uint8Array(id.length * 6)
  let length = 0
  for (let place = 0; place < id.length; place += 1) {
    const unit = id.charCodeAt(place)
    if (isAccepted(unit)) {
      bytes[length] = unit
      length += 1
      continue
    }
    bytes[length] = UNDERSCORE
    length += 1
    const first = unit > 0xfff ? 12 : unit > 0xff ? 8 : unit > 0xf ? 4 : 0
    for (let shift = first; shift >= 0; shift -= 4) {
      const digit = (unit >> shift) & 0xf
      bytes[length] = digit + (digit < 10 ? ZERO : TEN)
      length += 1
    }
    bytes[length] = UNDERSCORE
    length += 1
  }
  return decoder.decode(bytes.subarray(0, length))
}

const isAccepted = (unit: number): boolean =>
  (unit >= 0x30 && unit <= 0x39) || (unit >= 0x41 && unit <= 0x5a) || (unit >= 0x61 && unit <= 0x7a) || unit === 0x2d

/** Returns the id that {@link encodedCallId} encoded, and any other one unchanged. */
export function decodedCallId(id: string): string {
  if (!id.startsWith(PREFIX)) return id
  return id
    .slice(PREFIX.length)
    .replace(/_([0-9a-f]{1,4})_/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
}
