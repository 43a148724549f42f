import { ByteCollector } from '../../providers/byte-collector.ts'

const LINE_FEED = 10
const CARRIAGE_RETURN = 13

/** Whole events as the upstream encoded them. Blocks follow each other without a gap. */
export interface EventBlock {
  readonly bytes: Uint8Array
  /** The end of each event after its blank line. Comments and empty lines belong to the event that follows. */
  readonly ends: readonly number[]
}

/**
 * Splits an event stream into whole events and holds back an incomplete one. Lines may end in LF, CR LF or CR, and a line
 * end may be in two chunks.
 */
export class EventFramer {
  readonly #held = new ByteCollector()
  #lineEmpty = true
  #afterReturn = false
  /** Whether the stream uses CR LF. Then a CR at the end of a chunk waits for its LF. */
  #pairs = false
  #waitsForPair = false

  /** The number of bytes that are held back. */
  get held(): number {
    return this.#held.size
  }

  push(chunk: Uint8Array): EventBlock | undefined {
    const plain = this.#held.size === 0 && this.#lineEmpty && !this.#afterReturn ? plainEvents(chunk) : undefined
    if (plain) return { bytes: chunk, ends: plain }
    const ends: number[] = []
    for (let index = 0; index < chunk.length; index += 1) {
      const byte = chunk[index]
      if (byte === LINE_FEED) {
        if (this.#afterReturn) this.#endPair(ends, index)
        else this.#endLine(ends, index)
        this.#afterReturn = false
      } else {
        if (this.#waitsForPair) ends.push(index)
        this.#waitsForPair = false
        this.#afterReturn = byte === CARRIAGE_RETURN
        if (!this.#afterReturn) this.#lineEmpty = false
        else if (this.#lineEmpty && this.#pairs && index === chunk.length - 1) this.#waitsForPair = true
        else this.#endLine(ends, index)
      }
    }
    return this.#cut(chunk, ends)
  }

  /** Takes the held bytes, for an upstream that ends without a blank line. */
  rest(): Uint8Array {
    return this.#held.take()
  }

  #endLine(ends: number[], index: number): void {
    if (this.#lineEmpty) ends.push(index + 1)
    this.#lineEmpty = true
  }

  /** Adds the LF of a CR LF to the line that the CR ended. */
  #endPair(ends: number[], index: number): void {
    this.#pairs = true
    if (this.#waitsForPair) ends.push(index + 1)
    else if (ends.at(-1) === index) ends[ends.length - 1] = index + 1
    this.#waitsForPair = false
  }

  #cut(chunk: Uint8Array, ends: number[]): EventBlock | undefined {
    const end = ends.at(-1)
    if (end === undefined) {
      this.#held.add(chunk)
      return undefined
    }
    const offset = this.#held.size
    const whole = end === chunk.length ? chunk : chunk.subarray(0, end)
    if (offset > 0) this.#held.add(whole)
    const bytes = offset === 0 ? whole : this.#held.take()
    if (end < chunk.length) this.#held.add(chunk.subarray(end))
    return { bytes, ends: offset === 0 ? ends : ends.map((place) => place + offset) }
  }
}

/** Returns the ends of the events if a chunk has only whole events with LF, which is the usual case. */
function plainEvents(chunk: Uint8Array): readonly number[] | undefined {
  if (chunk[chunk.length - 1] !== LINE_FEED || chunk.includes(CARRIAGE_RETURN)) return undefined
  const ends: number[] = []
  for (let line = 0; line < chunk.length; ) {
    const end = chunk.indexOf(LINE_FEED, line)
    if (end === line) ends.push(end + 1)
    line = end + 1
  }
  return ends.at(-1) === chunk.length ? ends : undefined
}
