import { isObject } from '../../chat/is-object.ts'
import { parseJson } from '../../chat/parse-json.ts'
import { EventFramer } from '../../chat/streams/event-framer.ts'
import type { StreamObserver } from '../../dialects/answering/stream-observer.ts'
import type { Dialect, JsonObject } from '../../dialects/dialect.ts'
import { eventFields } from '../../dialects/streams/event-fields.ts'
import { isDeepJson } from '../../nesting.ts'
import { ChatReader } from './chat-reader.ts'
import type { EventReader } from './event-reader.ts'
import { MessageReader } from './message-reader.ts'

const decoder = new TextDecoder()

/**
 * Creates what assembles one stream.
 *
 * @param most the most characters that are kept. A larger answer is given up.
 * @param onAnswer receives the whole answer at the regular end of the stream
 */
export const collectorOf = (
  dialect: Exclude<Dialect, 'responses'>,
  most: number,
  onAnswer: (answer: JsonObject) => void,
): StreamObserver => new StreamCollector(dialect === 'chat' ? new ChatReader() : new MessageReader(), most, onAnswer)

class StreamCollector implements StreamObserver {
  readonly #framer = new EventFramer()
  readonly #most: number
  readonly #onAnswer: (answer: JsonObject) => void
  /** `undefined` once the answer is given up. */
  #reader: EventReader | undefined

  constructor(reader: EventReader, most: number, onAnswer: (answer: JsonObject) => void) {
    this.#reader = reader
    this.#most = most
    this.#onAnswer = onAnswer
  }

  data(bytes: Uint8Array): void {
    if (!this.#reader) return
    const block = this.#framer.push(bytes)
    let start = 0
    for (const end of block?.ends ?? []) {
      this.#read(decoder.decode(block?.bytes.subarray(start, end)))
      start = end
    }
    // An event that is not whole yet is part of the answer.
    if (this.#reader && this.#framer.held > 4 * this.#most + LONGEST_FRAME) this.#reader = undefined
  }

  complete(): void {
    if (this.#framer.held > 0) this.#read(decoder.decode(this.#framer.rest()))
    const answer = this.#reader?.answer()
    this.#reader = undefined
    if (answer) this.#onAnswer(answer)
  }

  #read(text: string): void {
    const { data } = eventFields(text)
    if (!this.#reader || data === undefined || data === '[DONE]') return
    const event = parseJson(data)
    const isRead = isObject(event) && !isDeepJson(data, event) && this.#reader.read(event)
    if (!isRead || this.#reader.characters > this.#most) this.#reader = undefined
  }
}

/** The most bytes of an event besides its part of the answer. */
const LONGEST_FRAME = 65_536
