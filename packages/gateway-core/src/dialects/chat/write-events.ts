import { errorEvent } from '../../chat/streams/stream-failures.ts'
import type { ConversationEvent } from '../conversation/conversation-answer.ts'
import type { OutputPart } from '../conversation/conversation-parts.ts'
import type { JsonObject } from '../dialect.ts'
import { objectOr, present } from '../json-values.ts'
import type { AnswerContext, EventWriter } from '../translation.ts'
import { writeAnnotation } from './annotations.ts'
import { writeEnding } from './finish-reasons.ts'
import { usesFunctions, writeFunctionCall } from './legacy-functions.ts'
import { isVerified, thinkingBlock } from './reasoning-fields.ts'
import { writeUsage } from './usage.ts'
import { imagesOf, writeToolCall } from './write-answer.ts'

type EventOf<Type extends ConversationEvent['type']> = Extract<ConversationEvent, { type: Type }>

interface Written {
  readonly part: OutputPart
  /** The position among the calls, from 0. */
  readonly call: number
  /** The length of the texts before it. */
  readonly before: number
  length: number
  /** The summary that was written last. */
  summary: number
}

/**
 * Writes a stream of chunks. The usage is a last chunk without choices, also where the client has not requested it. The
 * stream ends with `[DONE]`, or with its error.
 */
export class ChatEventWriter implements EventWriter {
  readonly #parts = new Map<number, Written>()
  readonly #usageSoFar: JsonObject
  readonly #hasFunctions: boolean
  #head: JsonObject = {}
  #calls = 0
  #length = 0

  constructor({ requested }: AnswerContext) {
    this.#hasFunctions = usesFunctions(requested)
    this.#usageSoFar = objectOr(requested.stream_options).include_usage === true ? { usage: null } : {}
  }

  write(event: ConversationEvent): string {
    switch (event.type) {
      case 'start':
        this.#head = {
          id: event.id,
          object: 'chat.completion.chunk',
          created: event.created,
          model: event.model,
        }
        return this.#chunk({ role: 'assistant', content: '', refusal: null })
      case 'part':
        return this.#begin(event)
      case 'text':
        return this.#append(event)
      case 'summary':
        return this.#summarise(event)
      case 'annotation':
        return this.#cite(event)
      case 'part-end':
        return this.#end(event)
      case 'finish':
        return this.#finish(event)
      case 'error':
        return errorEvent(event.error)
      case 'ping':
        return ''
    }
  }

  #chunk(delta: JsonObject, more: JsonObject = {}): string {
    const choice = { index: 0, delta, logprobs: null, finish_reason: null, ...more }
    return encoded({ ...this.#head, choices: [choice], ...this.#usageSoFar })
  }

  #begin({ index, part }: EventOf<'part'>): string {
    const call = part.type === 'tool-call' ? this.#calls++ : -1
    this.#parts.set(index, { part, call, before: this.#length, length: 0, summary: 0 })
    if (part.type !== 'tool-call') return ''
    if (!this.#hasFunctions) return this.#chunk({ tool_calls: [{ index: call, ...writeToolCall(part) }] })
    return call === 0 ? this.#chunk({ function_call: writeFunctionCall(part.name, part.input) }) : ''
  }

  #append({ index, text, logProbabilities }: EventOf<'text'>): string {
    const written = this.#parts.get(index)
    if (!written) return ''
    written.length += text.length
    if (written.part.type === 'text') this.#length += text.length
    const delta = deltaOf(written, text, this.#hasFunctions)
    if (delta === undefined || (text === '' && logProbabilities === undefined)) return ''
    return this.#chunk(
      delta,
      logProbabilities === undefined ? {} : { logprobs: { content: logProbabilities, refusal: null } },
    )
  }

  #summarise({ index, summary, text }: EventOf<'summary'>): string {
    const written = this.#parts.get(index)
    if (!written || text === '') return ''
    const separator = written.length > 0 && summary !== written.summary ? '\n\n' : ''
    written.summary = summary
    written.length += text.length
    return this.#chunk({ reasoning_content: `${separator}${text}` })
  }

  #cite({ index, annotation }: EventOf<'annotation'>): string {
    const written = this.#parts.get(index)
    if (!written) return ''
    return this.#chunk({ annotations: [writeAnnotation(annotation, written.before, written.length)] })
  }

  /** Writes what arrives with the end of a part: signatures, images, and texts of which nothing was streamed. */
  #end({ index, part }: EventOf<'part-end'>): string {
    const written = this.#parts.get(index)
    if (!written) return ''
    this.#parts.delete(index)
    const text = written.length === 0 ? wholeText(part) : ''
    if (text !== '' && part.type === 'text') this.#length += text.length
    const delta = text === '' ? undefined : deltaOf(written, text, this.#hasFunctions)
    const rest = part.type === 'reasoning' && isVerified(part) ? { thinking_blocks: [thinkingBlock(part)] } : undefined
    const images = imagesOf([part])
    return [
      ...(delta === undefined ? [] : [this.#chunk(delta)]),
      ...(rest === undefined ? [] : [this.#chunk(rest)]),
      ...(images.length > 0 ? [this.#chunk({ images })] : []),
    ].join('')
  }

  #finish({ ending, usage, serviceTier }: EventOf<'finish'>): string {
    const tier = present({ service_tier: serviceTier })
    this.#head = { ...this.#head, ...tier }
    const last = this.#chunk({}, { finish_reason: writeEnding(ending, this.#hasFunctions) })
    const counts = usage === undefined ? '' : encoded({ ...this.#head, choices: [], usage: writeUsage(usage) })
    return `${last}${counts}data: [DONE]\n\n`
  }
}

const encoded = (chunk: JsonObject): string => `data: ${JSON.stringify(chunk)}\n\n`

function wholeText(part: OutputPart): string {
  // Clients parse the arguments, also of a function without parameters.
  if (part.type === 'tool-call') return part.input === '' && part.kind === 'function' ? '{}' : part.input
  if (part.type === 'reasoning') return part.text === '' ? part.summary.join('\n\n') : part.text
  return part.type === 'text' || part.type === 'refusal' ? part.text : ''
}

function deltaOf({ part, call }: Written, text: string, hasFunctions: boolean): JsonObject | undefined {
  switch (part.type) {
    case 'text':
      return { content: text }
    case 'refusal':
      return { refusal: text }
    case 'reasoning':
      return { reasoning_content: text }
    case 'tool-call': {
      if (hasFunctions) return call === 0 ? { function_call: { arguments: text } } : undefined
      const addition = part.kind === 'custom' ? { custom: { input: text } } : { function: { arguments: text } }
      return { tool_calls: [{ index: call, ...addition }] }
    }
    default:
      return undefined
  }
}
