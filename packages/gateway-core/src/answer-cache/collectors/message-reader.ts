import { isObject } from '../../chat/is-object.ts'
import type { JsonObject } from '../../dialects/dialect.ts'
import { objectOr } from '../../dialects/json-values.ts'
import { MessageBlocks } from '../../dialects/messages/message-blocks.ts'
import { jsonLength } from '../../dialects/requests/json-length.ts'
import type { EventReader } from './event-reader.ts'

/** The deltas that {@link MessageBlocks} assembles. */
const knownDeltas: ReadonlySet<unknown> = new Set([
  'text_delta',
  'thinking_delta',
  'signature_delta',
  'input_json_delta',
  'citations_delta',
])

/** Assembles the events of a message. */
export class MessageReader implements EventReader {
  readonly #blocks = new MessageBlocks()
  #start: JsonObject | undefined
  #end: JsonObject = {}
  #usage: JsonObject = {}
  #isEnded = false
  #citations = 0

  get characters(): number {
    return this.#blocks.characters + this.#citations
  }

  read(event: JsonObject): boolean {
    switch (event.type) {
      case 'message_start':
        this.#start = objectOr(event.message)
        this.#usage = objectOr(this.#start.usage)
        return true
      case 'content_block_start':
        this.#blocks.read(event, jsonLength(event.content_block))
        return true
      case 'content_block_delta':
        return this.#readDelta(event)
      case 'content_block_stop':
        this.#blocks.read(event, 0)
        return true
      case 'message_delta':
        this.#readEnd(event)
        return true
      case 'message_stop':
        this.#isEnded = true
        return true
      default:
        return event.type === 'ping'
    }
  }

  answer(): JsonObject | undefined {
    if (!this.#start || !this.#isEnded) return undefined
    return { ...this.#start, ...this.#end, content: this.#blocks.end(), usage: this.#usage }
  }

  #readDelta(event: JsonObject): boolean {
    const { type, citation, signature } = objectOr(event.delta)
    this.#citations += jsonLength(citation) + (typeof signature === 'string' ? signature.length : 0)
    this.#blocks.read(event, 0)
    return knownDeltas.has(type)
  }

  /** Counts are totals, and `null` counts nothing. */
  #readEnd({ type, delta, usage, ...more }: JsonObject): void {
    this.#end = { ...this.#end, ...more, ...objectOr(delta) }
    const counts = Object.entries(isObject(usage) ? usage : {}).filter(([, count]) => count !== null)
    this.#usage = { ...this.#usage, ...Object.fromEntries(counts) }
  }
}
