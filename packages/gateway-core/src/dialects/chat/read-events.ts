import { isObject } from '../../chat/is-object.ts'
import { notACompletion } from '../../chat/streams/stream-failures.ts'
import { refusalFrom } from '../../providers/error-body.ts'
import { ProviderFailure } from '../../providers/provider-error.ts'
import type { ConversationEvent, ConversationUsage } from '../conversation/conversation-answer.ts'
import type { OutputPart, ReasoningPart } from '../conversation/conversation-parts.ts'
import type { JsonObject } from '../dialect.ts'
import { countIn, listOr, objectOr, present, textIn, textOr } from '../json-values.ts'
import type { AnswerContext, EventReader } from '../translation.ts'
import { readAnnotations } from './annotations.ts'
import { failureIn, readEnding } from './finish-reasons.ts'
import { OpenCalls } from './open-calls.ts'
import { emptyPart, OpenPart } from './open-part.ts'
import { readContent, readImages } from './read-answer.ts'
import { readReasoning } from './read-parts.ts'
import { readUsage } from './usage.ts'

/**
 * Reads the first choice of a stream of chunks. Texts, refusals and reasoning end where another of them begins, calls of
 * tools at the end of the stream. The answer ends with `[DONE]`, because the usage arrives after the finish reason.
 */
export class ChatEventReader implements EventReader {
  readonly #context: AnswerContext
  readonly #calls: OpenCalls
  #steps: ConversationEvent[] = []
  #started = false
  #closed = false
  #parts = 0
  #open: OpenPart | undefined
  /** The length of all texts so far, from which the places of sources count. */
  #length = 0
  #finish: JsonObject | undefined
  #usage: ConversationUsage | undefined
  #serviceTier: string | undefined

  constructor(context: AnswerContext) {
    this.#context = context
    this.#calls = new OpenCalls(context, () => this.#parts++)
  }

  read(name: string | undefined, value: JsonObject): readonly ConversationEvent[] {
    if (this.#closed) return []
    if (value.error || name === 'error') {
      this.#closed = true
      return [{ type: 'error', error: refusalFrom(value.error ?? value, !this.#started) }]
    }
    if (value.choices != null && !Array.isArray(value.choices)) throw new ProviderFailure(notACompletion())
    this.#usage = readUsage(value.usage) ?? readUsage(objectOr(value.x_groq).usage) ?? this.#usage
    this.#serviceTier = textIn(value.service_tier) ?? this.#serviceTier
    const choice = listOr(value.choices).find((one) => isObject(one) && (countIn(one.index) ?? 0) === 0)
    if (!isObject(choice)) return this.#taken()
    const error = failureIn(choice, !this.#started)
    // Another attempt is possible before the first event.
    if (this.#started || !error) this.#readChoice(choice, value)
    if (!error) return this.#taken()
    this.#closed = true
    return [...this.#taken(), { type: 'error', error }]
  }

  end(): readonly ConversationEvent[] {
    if (this.#closed || !this.#started || this.#finish === undefined) return []
    this.#closed = true
    this.#close()
    this.#steps.push(...this.#calls.end())
    const { finish_reason: reason, stop_reason: stop } = this.#finish
    const ending = readEnding(reason, stop, this.#calls.any)
    this.#steps.push({ type: 'finish', ending, ...present({ usage: this.#usage, serviceTier: this.#serviceTier }) })
    return this.#taken()
  }

  #taken(): readonly ConversationEvent[] {
    const steps = this.#steps
    this.#steps = []
    return steps
  }

  #readChoice(choice: JsonObject, chunk: JsonObject): void {
    this.#start(chunk)
    const delta = objectOr(choice.delta)
    this.#readReasoning(delta)
    this.#readContent(delta.content, listOr(objectOr(choice.logprobs).content))
    this.#write('refusal', textOr(delta.refusal))
    this.#cite(delta.annotations)
    for (const image of readImages(delta.images)) this.#add(image)
    for (const call of listOr(delta.tool_calls)) {
      if (!isObject(call)) continue
      this.#close()
      this.#steps.push(...this.#calls.read(call))
    }
    if (typeof choice.finish_reason === 'string') this.#finish = choice
  }

  #start({ id, model, created }: JsonObject): void {
    if (this.#started) return
    this.#started = true
    this.#steps.push({
      type: 'start',
      id: textIn(id) ?? `chatcmpl-${this.#context.newId()}`,
      model: textOr(model),
      created: countIn(created) ?? this.#context.now,
    })
  }

  #readContent(content: unknown, logProbabilities: readonly unknown[]): void {
    if (typeof content === 'string' || content == null) {
      this.#write('text', textOr(content), logProbabilities)
      return
    }
    for (const part of readContent(content)) {
      if (part.type === 'text' || part.type === 'refusal' || part.type === 'reasoning')
        this.#write(part.type, part.text)
      else this.#add(part)
    }
  }

  #readReasoning(delta: JsonObject): void {
    this.#write('reasoning', textIn(delta.reasoning_content) ?? textOr(delta.reasoning))
    if (listOr(delta.thinking_blocks).length === 0) return
    for (const block of readReasoning({ thinking_blocks: delta.thinking_blocks })) this.#verify(block)
  }

  /** A block has the signature of the reasoning that came before it, or all of its own. */
  #verify(block: ReasoningPart): void {
    if (block.redacted !== undefined) this.#add(block)
    else if (block.signature !== undefined) {
      if (this.#open?.type !== 'reasoning') this.#begin('reasoning')
      if (this.#open?.text === '') this.#write('reasoning', block.text)
      this.#close({ signature: block.signature })
    }
  }

  /** Appends a text to the part of its type, which begins where another one is open. */
  #write(type: OpenPart['type'], text: string, logProbabilities: readonly unknown[] = []): void {
    if (text === '' && logProbabilities.length === 0) return
    const part = this.#open?.type === type ? this.#open : this.#begin(type)
    part.add(text, logProbabilities)
    if (type === 'text') this.#length += text.length
    const more = logProbabilities.length > 0 ? { logProbabilities } : {}
    this.#steps.push({ type: 'text', index: part.index, text, ...more })
  }

  #cite(values: unknown): void {
    if (listOr(values).length === 0) return
    const part = this.#open?.type === 'text' ? this.#open : undefined
    const annotations = readAnnotations(values, part?.before ?? this.#length)
    if (annotations.length === 0) return
    const cited = part ?? this.#begin('text')
    cited.cite(annotations)
    for (const annotation of annotations) this.#steps.push({ type: 'annotation', index: cited.index, annotation })
  }

  #begin(type: OpenPart['type']): OpenPart {
    this.#close()
    const part = new OpenPart(type, this.#parts++, this.#length)
    this.#open = part
    this.#steps.push({ type: 'part', index: part.index, part: emptyPart(type) })
    return part
  }

  #close(verified: Pick<ReasoningPart, 'signature'> = {}): void {
    const part = this.#open
    this.#open = undefined
    if (part) this.#steps.push({ type: 'part-end', index: part.index, part: part.whole(verified) })
  }

  /** Adds a part that arrives whole. */
  #add(part: OutputPart): void {
    this.#close()
    const index = this.#parts++
    this.#steps.push({ type: 'part', index, part }, { type: 'part-end', index, part })
  }
}
