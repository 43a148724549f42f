import { isObject } from '../chat/is-object.ts'
import { parseJson } from '../chat/parse-json.ts'
import { EventFramer } from '../chat/streams/event-framer.ts'
import type { StreamObserver } from '../dialects/answering/stream-observer.ts'
import type { JsonObject } from '../dialects/dialect.ts'
import { objectOr, objectsOf, textOf } from '../dialects/json-values.ts'
import { eventFields } from '../dialects/streams/event-fields.ts'
import type { AnswerTexts } from './answer-texts.ts'

const decoder = new TextDecoder()

/** An event with more bytes than this is not read. */
const LONGEST_EVENT = 2 ** 20

/** Reads the texts of a stream in any dialect, until they are full. */
export class AnswerReader implements StreamObserver {
  readonly #framer = new EventFramer()
  readonly #texts: AnswerTexts

  constructor(texts: AnswerTexts) {
    this.#texts = texts
  }

  data(bytes: Uint8Array): void {
    if (this.#texts.isFull) return
    const block = this.#framer.push(bytes)
    let start = 0
    for (const end of block?.ends ?? []) {
      this.#read(block?.bytes.subarray(start, end))
      start = end
    }
  }

  complete(): void {
    this.#texts.complete()
    if (!this.#texts.isFull && this.#framer.held > 0) this.#read(this.#framer.rest())
  }

  #read(bytes: Uint8Array | undefined): void {
    if (!bytes || bytes.length > LONGEST_EVENT || this.#texts.isFull) return
    const { data } = eventFields(decoder.decode(bytes))
    const event = data === undefined || data === '[DONE]' ? undefined : parseJson(data)
    if (!isObject(event)) return
    if (Array.isArray(event.choices)) for (const choice of objectsOf(event.choices)) this.#readChoice(choice)
    else this.#readTyped(event)
  }

  #readChoice({ index, delta }: JsonObject): void {
    const { content, refusal, tool_calls: calls } = objectOr(delta)
    const choice = `choice ${keyOf(index)}`
    for (const text of [content, refusal]) this.#texts.add(choice, textOf(text) ?? '')
    for (const [at, call] of objectsOf(calls).entries()) {
      const { name, arguments: given } = objectOr(call.function)
      const key = `${choice} call ${keyOf(call.index ?? at)}`
      this.#begin(key, name)
      this.#texts.add(key, textOf(given) ?? '')
    }
  }

  /** The events of responses and messages. */
  #readTyped(event: JsonObject): void {
    const { type, delta, item, content_block: block } = event
    const output = `item ${keyOf(event.output_index)}`
    const own = `block ${keyOf(event.index)}`
    switch (type) {
      case 'response.output_text.delta':
      case 'response.refusal.delta':
        this.#texts.add(`${output} part ${keyOf(event.content_index)}`, textOf(delta) ?? '', output)
        break
      case 'response.function_call_arguments.delta':
      case 'response.custom_tool_call_input.delta':
        this.#texts.add(output, textOf(delta) ?? '')
        break
      case 'response.output_item.added':
        this.#begin(output, objectOr(item).name)
        break
      case 'content_block_start':
        this.#begin(own, objectOr(block).name)
        break
      case 'content_block_delta': {
        const { text, partial_json: json } = objectOr(delta)
        if (typeof text === 'string') this.#texts.add(own, text, 'blocks')
        else this.#texts.add(own, textOf(json) ?? '')
        break
      }
    }
  }

  /** Begins the call of a tool, where an event has its name. Some upstreams repeat it with each piece. */
  #begin(key: string, name: unknown): void {
    if (typeof name === 'string' && !this.#texts.has(key)) this.#texts.add(key, `[call ${name}] `)
  }
}

/** Returns an index as a part of a key. Upstreams may leave it out. */
const keyOf = (index: unknown): number => (typeof index === 'number' ? index : 0)
