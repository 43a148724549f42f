import { errorBodyOf } from '../../../providers/error-body.ts'
import type { ProviderError } from '../../../providers/provider-error.ts'
import type { ConversationEvent } from '../../conversation/conversation-answer.ts'
import type { OutputPart } from '../../conversation/conversation-parts.ts'
import type { JsonObject } from '../../dialect.ts'
import { textOf } from '../../json-values.ts'
import type { AnswerContext, EventWriter } from '../../translation.ts'
import { writeEnding } from '../answers/endings.ts'
import { failedResponse } from '../answers/failed-response.ts'
import { repeatedFields, responseId } from '../answers/response-head.ts'
import { writeUsage } from '../answers/usage.ts'
import { isSaid, itemId, newItemId, writeItem } from '../answers/write-items.ts'
import { CallWriter } from './call-writer.ts'
import { EventLog } from './event-log.ts'
import { MessageWriter } from './message-writer.ts'
import type { PartWriter } from './part-writer.ts'
import { ReasoningWriter } from './reasoning-writer.ts'
import { WholeItemWriter } from './whole-item-writer.ts'

type Event<Type extends ConversationEvent['type']> = Extract<ConversationEvent, { readonly type: Type }>

/** Writes the events of one response. Items may overlap, each under its own `output_index`. */
export class ResponseEventWriter implements EventWriter {
  readonly #context: AnswerContext
  readonly #log = new EventLog()
  readonly #parts = new Map<number, PartWriter>()
  /** The message that further texts belong to. */
  #message: MessageWriter | undefined
  #items = 0
  /** The index of the part that began last. */
  #last: number | undefined
  /** A call that is complete, unless the answer ends there before the model has finished. */
  #lastCall: { readonly writer: PartWriter; readonly part: OutputPart } | undefined
  /** What each state of the response has. Absent before the first event. */
  #head: JsonObject | undefined
  #ended = false

  constructor(context: AnswerContext) {
    this.#context = context
  }

  write(event: ConversationEvent): string {
    if (!this.#ended) this.#write(event)
    return this.#log.take()
  }

  failed(error: ProviderError): string {
    if (!this.#ended) this.#fail(error)
    return this.#log.take()
  }

  #write(event: ConversationEvent): void {
    switch (event.type) {
      case 'ping':
        return
      case 'start':
        this.#start(event)
        return
      case 'part':
        this.#begin(event.index, event.part)
        return
      case 'part-end':
        this.#endPart(event)
        return
      case 'finish':
        this.#finish(event)
        return
      case 'error':
        this.#fail(event.error)
        return
      default:
        this.#parts.get(event.index)?.add(event)
    }
  }

  #start({ model, created }: Pick<Event<'start'>, 'model' | 'created'>): JsonObject {
    if (this.#head) return this.#head
    const head = {
      ...repeatedFields(this.#context.requested),
      id: responseId(this.#context),
      object: 'response',
      created_at: created,
      model,
    }
    this.#head = head
    const response = { ...head, ...running }
    const json = JSON.stringify({ response }).slice(1)
    if (this.#context.requested.background === true) {
      const queued = { ...response, status: 'queued' }
      this.#log.add('response.created', { response: queued })
      this.#log.add('response.queued', { response: queued })
    } else this.#log.addJson('response.created', json)
    this.#log.addJson('response.in_progress', json)
    return head
  }

  /** Returns the fields of the response, also for a stream that does not begin with `start`. */
  #started(): JsonObject {
    const { requested, now } = this.#context
    return this.#head ?? this.#start({ model: textOf(requested.model) ?? '', created: now })
  }

  #begin(index: number, part: OutputPart): void {
    this.#started()
    this.#endLastCall(false)
    this.#last = index
    const writer = isSaid(part) ? this.#openMessage().begin(part) : this.#beginItem(part)
    if (writer) this.#parts.set(index, writer)
  }

  #endPart({ index, part }: Event<'part-end'>): void {
    const writer = this.#parts.get(index)
    this.#parts.delete(index)
    if (writer && part.type === 'tool-call' && index === this.#last) this.#lastCall = { writer, part }
    else writer?.end(part)
  }

  #endLastCall(cut: boolean): void {
    const { writer, part } = this.#lastCall ?? {}
    this.#lastCall = undefined
    writer?.end(part, cut)
  }

  #openMessage(): MessageWriter {
    this.#message ??= new MessageWriter(this.#log, this.#items++, newItemId('msg', this.#context))
    return this.#message
  }

  #beginItem(part: Exclude<OutputPart, { type: 'text' | 'refusal' }>): PartWriter | undefined {
    const id = itemId(part, this.#context)
    if (!writeItem(part, id, this.#context, 'in_progress')) return undefined
    this.#message?.seal()
    this.#message = undefined
    const place = { index: this.#items++, id }
    if (part.type === 'tool-call') return new CallWriter(this.#log, this.#context, place, part)
    if (part.type === 'reasoning') return new ReasoningWriter(this.#log, this.#context, place, part)
    return new WholeItemWriter(this.#log, this.#context, place, part)
  }

  #finish({ ending, usage, serviceTier }: Event<'finish'>): void {
    const head = this.#started()
    const { status, incomplete_details } = writeEnding(ending)
    this.#endLastCall(status === 'incomplete')
    this.#message?.close(status)
    for (const part of this.#parts.values()) part.end(undefined)
    this.#end(`response.${status}`, {
      ...head,
      completed_at: status === 'completed' ? Math.floor(this.#context.now) : null,
      status,
      error: null,
      incomplete_details,
      output: this.#log.items,
      ...(serviceTier === undefined ? {} : { service_tier: serviceTier }),
      usage: usage ? writeUsage(usage) : null,
    })
  }

  #fail(error: ProviderError): void {
    const { message, code, param } = errorBodyOf(error)
    this.#endLastCall(false)
    this.#log.add('error', { code, message, param })
    if (this.#head) {
      this.#end('response.failed', failedResponse({ ...this.#head, output: this.#log.items }, error))
    }
    this.#ended = true
  }

  #end(type: string, response: JsonObject): void {
    this.#log.add(type, { response })
    this.#ended = true
  }
}

const running = { status: 'in_progress', error: null, incomplete_details: null, output: [], usage: null }
