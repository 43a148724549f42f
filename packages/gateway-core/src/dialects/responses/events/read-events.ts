import { refusalFrom } from '../../../providers/error-body.ts'
import { toProviderError } from '../../../providers/provider-error.ts'
import type { ConversationEvent } from '../../conversation/conversation-answer.ts'
import type { JsonObject } from '../../dialect.ts'
import { numberIn, objectOf, objectsOf, present, textOf } from '../../json-values.ts'
import type { AnswerContext, EventReader } from '../../translation.ts'
import { readEnding } from '../answers/endings.ts'
import { readHead } from '../answers/read-answer.ts'
import { readUsage } from '../answers/usage.ts'
import { CallReader } from './call-reader.ts'
import { ItemQueue } from './item-queue.ts'
import type { ItemReader } from './item-reader.ts'
import { MessageReader } from './message-reader.ts'
import { ReasoningReader } from './reasoning-reader.ts'
import { WholeReader } from './whole-reader.ts'

/** Reads the events of one response. Events of unknown types are ignored. */
export class ResponseEventReader implements EventReader {
  readonly #context: AnswerContext
  readonly #queue = new ItemQueue()
  #started = false
  #ended = false
  #calls = false
  #searches = 0

  constructor(context: AnswerContext) {
    this.#context = context
  }

  read(name: string | undefined, value: JsonObject): readonly ConversationEvent[] {
    if (this.#ended) return []
    const events = this.#read(textOf(value.type) ?? name ?? '', value)
    for (const event of events) this.#note(event)
    return events
  }

  end(): readonly ConversationEvent[] {
    return []
  }

  #read(type: string, value: JsonObject): readonly ConversationEvent[] {
    switch (type) {
      case 'response.created':
      case 'response.in_progress':
      case 'response.queued':
        return this.#start(objectOf(value.response) ?? {})
      case 'response.completed':
      case 'response.incomplete':
        return this.#finish({ status: type.slice('response.'.length), ...objectOf(value.response) })
      case 'response.failed':
        return this.#fail(objectOf(value.response)?.error)
      case 'response.cancelled':
        return this.#interrupt()
      case 'error':
        return this.#fail(value.error ?? { ...value, type: undefined })
      default:
        return this.#readItem(type, value)
    }
  }

  #start(response: JsonObject): readonly ConversationEvent[] {
    if (this.#started) return []
    this.#started = true
    const usage = readUsage(response.usage, 0)
    return [{ type: 'start', ...readHead(response, this.#context), ...present({ usage }) }]
  }

  #readItem(type: string, value: JsonObject): readonly ConversationEvent[] {
    const index = numberIn(value.output_index)
    if (index === undefined) return []
    const item = objectOf(value.item)
    const isEnd = type === 'response.output_item.done'
    const isItem = isEnd || type === 'response.output_item.added'
    if (!this.#queue.has(index)) {
      const reader = isItem ? this.#readerOf(item) : this.#readerFor(type)
      if (!reader) return []
      this.#queue.add(index, reader)
    }
    const steps = isEnd ? this.#queue.end(index, item) : this.#queue.read(index, type, value)
    return steps.length === 0 ? [] : [...this.#start({}), ...steps]
  }

  #readerOf(item: JsonObject | undefined): ItemReader | undefined {
    switch (item?.type) {
      case undefined:
        return undefined
      case 'message':
        return new MessageReader()
      case 'reasoning':
        return new ReasoningReader(item)
      case 'function_call':
      case 'custom_tool_call':
        return new CallReader(item, this.#context.customAsFunctions)
      default:
        return new WholeReader(item)
    }
  }

  /** Returns the reader for an item that the upstream did not announce. */
  #readerFor(type: string): ItemReader | undefined {
    if (/^response\.(?:output_text|refusal)\./.test(type)) return new MessageReader()
    if (/^response\.reasoning_/.test(type)) return new ReasoningReader({})
    if (/^response\.(?:function_call_arguments|custom_tool_call_input)\./.test(type)) {
      return new CallReader(undefined, this.#context.customAsFunctions)
    }
    return undefined
  }

  #finish(response: JsonObject): readonly ConversationEvent[] {
    if (response.error) return this.#fail(response.error)
    const start = this.#start(response)
    const items: ConversationEvent[] = []
    for (const [index, item] of objectsOf(response.output).entries()) {
      for (const event of this.#readItem('response.output_item.done', { output_index: index, item })) items.push(event)
    }
    for (const event of this.#queue.endAll()) items.push(event)
    for (const event of items) this.#note(event)
    this.#ended = true
    const finish: ConversationEvent = {
      type: 'finish',
      ending: readEnding(response, this.#calls),
      ...present({ usage: readUsage(response.usage, this.#searches), serviceTier: textOf(response.service_tier) }),
    }
    return [...start, ...items, finish]
  }

  /** Remembers what the end of the answer depends on. */
  #note(event: ConversationEvent): void {
    if (this.#ended || event.type !== 'part-end') return
    if (event.part.type === 'tool-call') this.#calls = true
    if (event.part.type === 'search-call') this.#searches += 1
  }

  #fail(error: unknown): readonly ConversationEvent[] {
    this.#ended = true
    return [{ type: 'error', error: refusalFrom(error, !this.#started) }]
  }

  #interrupt(): readonly ConversationEvent[] {
    this.#ended = true
    const message = 'The upstream cancelled the response.'
    return [
      { type: 'error', error: toProviderError({ type: 'interrupted', message, beforeFirstByte: !this.#started }) },
    ]
  }
}
