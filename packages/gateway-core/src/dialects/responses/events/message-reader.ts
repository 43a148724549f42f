import type { Annotation, OutputPart } from '../../conversation/conversation-parts.ts'
import type { JsonObject } from '../../dialect.ts'
import { listOr, numberIn, objectOf, objectsOf, present, textOf } from '../../json-values.ts'
import { readAnnotation, readOutputPart } from '../items/text-parts.ts'
import { restOf } from './event-log.ts'
import { type ItemReader, type Step, textStep } from './item-reader.ts'

/** A text or a refusal that has begun. */
interface Open {
  readonly index: number
  readonly type: 'text' | 'refusal'
  text: string
  readonly annotations: Annotation[]
  readonly logProbabilities: unknown[]
}

/** Reads a message, whose parts follow each other. */
export class MessageReader implements ItemReader {
  #open: Open | undefined
  readonly #ended = new Set<number>()

  read(type: string, event: JsonObject): readonly Step[] {
    const index = numberIn(event.content_index) ?? 0
    switch (type) {
      case 'response.output_text.delta':
        return this.#add(index, 'text', textOf(event.delta) ?? '', listOr(event.logprobs))
      case 'response.refusal.delta':
        return this.#add(index, 'refusal', textOf(event.delta) ?? '', [])
      case 'response.output_text.done':
        return this.#addRest(index, 'text', textOf(event.text) ?? '')
      case 'response.refusal.done':
        return this.#addRest(index, 'refusal', textOf(event.refusal) ?? '')
      case 'response.output_text.annotation.added':
        return this.#annotate(index, objectOf(event.annotation))
      case 'response.content_part.done':
        return this.#finish(index, objectOf(event.part))
      default:
        return []
    }
  }

  end(item: JsonObject | undefined): readonly Step[] {
    const parts = objectsOf(item?.content)
    const steps: Step[] = []
    for (const [index, part] of parts.entries()) {
      for (const step of this.#finish(index, part)) steps.push(step)
    }
    return [...steps, ...this.#close(undefined)]
  }

  #add(index: number, type: Open['type'], text: string, logProbabilities: readonly unknown[]): readonly Step[] {
    const steps = this.#begin(index, type)
    const open = this.#open
    if (!steps || !open) return []
    open.text += text
    for (const one of logProbabilities) open.logProbabilities.push(one)
    return [...steps, ...textStep(text, logProbabilities)]
  }

  /** Adds what the upstream sent only as a whole. */
  #addRest(index: number, type: Open['type'], whole: string): readonly Step[] {
    const sent = this.#open?.index === index ? this.#open.text : ''
    return this.#add(index, type, restOf(whole, sent), [])
  }

  #annotate(index: number, value: JsonObject | undefined): readonly Step[] {
    const [annotation] = value ? readAnnotation(value) : []
    if (!annotation || this.#open?.index !== index) return []
    this.#open.annotations.push(annotation)
    return [{ type: 'annotation', annotation }]
  }

  /** Begins a part and ends the one before. Returns `undefined` for one that has ended. */
  #begin(index: number, type: Open['type']): readonly Step[] | undefined {
    if (this.#open?.index === index && this.#open.type === type) return []
    if (this.#ended.has(index)) return undefined
    const steps = this.#close(undefined)
    this.#open = { index, type, text: '', annotations: [], logProbabilities: [] }
    return [...steps, { type: 'part', part: { type, text: '' } }]
  }

  #finish(index: number, value: JsonObject | undefined): readonly Step[] {
    const part = value && readOutputPart(value)
    if (!part || this.#ended.has(index)) return []
    const steps = this.#begin(index, part.type)
    return steps ? [...steps, ...this.#close(part)] : []
  }

  #close(final: OutputPart | undefined): readonly Step[] {
    const open = this.#open
    if (!open) return []
    this.#open = undefined
    this.#ended.add(open.index)
    if (open.type === 'refusal') {
      const text = (final?.type === 'refusal' && final.text) || open.text
      return [...textStep(restOf(text, open.text)), { type: 'part-end', part: { type: 'refusal', text } }]
    }
    const given = final?.type === 'text' ? final : undefined
    const text = given?.text || open.text
    const annotations = given?.annotations ?? open.annotations
    const logProbabilities = given?.logProbabilities ?? open.logProbabilities
    const part: OutputPart = present({
      type: 'text',
      text,
      annotations: annotations.length > 0 ? annotations : undefined,
      foreignCitations: given?.foreignCitations,
      logProbabilities: logProbabilities.length > 0 ? logProbabilities : undefined,
    })
    const missing = annotations.slice(open.annotations.length)
    const missingTokens = open.logProbabilities.length === 0 ? logProbabilities : []
    return [
      ...textStep(restOf(text, open.text), missingTokens),
      ...missing.map((annotation): Step => ({ type: 'annotation', annotation })),
      { type: 'part-end', part },
    ]
  }
}
