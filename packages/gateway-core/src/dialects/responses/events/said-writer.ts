import type { Annotation, OutputPart, RefusalPart, TextPart } from '../../conversation/conversation-parts.ts'
import type { JsonObject } from '../../dialect.ts'
import { fileCitationsOf, writeAnnotation, writeOutputPart } from '../items/text-parts.ts'
import { type EventLog, restOf } from './event-log.ts'
import type { Addition, PartWriter } from './part-writer.ts'

/** Writes a text or a refusal of a message. */
export class SaidWriter implements PartWriter {
  /** The complete part, when it has ended. */
  written: JsonObject | undefined
  readonly #log: EventLog
  readonly #place: JsonObject
  /** The place in JSON, without braces. */
  readonly #placeJson: string
  readonly #type: 'text' | 'refusal'
  #text = ''
  readonly #annotations: Annotation[] = []
  /** Annotations whose events were sent. */
  #written = 0
  readonly #logProbabilities: unknown[] = []

  constructor(log: EventLog, place: JsonObject, part: TextPart | RefusalPart) {
    this.#log = log
    this.#place = place
    this.#placeJson = JSON.stringify(place).slice(1, -1)
    this.#type = part.type
    log.add('response.content_part.added', { ...place, part: writeOutputPart({ type: part.type, text: '' }) })
  }

  add(addition: Addition): void {
    if (addition.type === 'annotation') this.#addAnnotation(addition.annotation)
    else if (addition.type === 'text') this.#addText(addition.text, addition.logProbabilities ?? [])
  }

  end(final: OutputPart | undefined): void {
    if (this.written) return
    const part = this.#complete(final)
    this.#addText(restOf(part.text, this.#text), [])
    if (part.type === 'text') {
      for (const annotation of (part.annotations ?? []).slice(this.#annotations.length)) {
        this.#addWritten(writeAnnotation(annotation, this.#text.length))
      }
      for (const citation of fileCitationsOf(part)) this.#addWritten(citation)
    }
    const written = writeOutputPart(part)
    this.written = written
    if (part.type === 'refusal') this.#log.add('response.refusal.done', { ...this.#place, refusal: part.text })
    else this.#log.add('response.output_text.done', { ...this.#place, text: part.text, logprobs: written.logprobs })
    this.#log.add('response.content_part.done', { ...this.#place, part: written })
  }

  /** Returns the final part, or what was sent of it. */
  #complete(final: OutputPart | undefined): TextPart | RefusalPart {
    if (this.#type === 'refusal') return { type: 'refusal', text: textIn(final) || this.#text }
    const text = final?.type === 'text' ? final : undefined
    return {
      type: 'text',
      text: textIn(final) || this.#text,
      annotations: text?.annotations ?? this.#annotations,
      ...(text?.foreignCitations && { foreignCitations: text.foreignCitations }),
      logProbabilities: text?.logProbabilities ?? this.#logProbabilities,
    }
  }

  #addText(delta: string, logProbabilities: readonly unknown[]): void {
    if (delta === '' && logProbabilities.length === 0) return
    this.#text += delta
    const fields = `${this.#placeJson},"delta":${JSON.stringify(delta)}`
    if (this.#type === 'refusal') {
      this.#log.addJson('response.refusal.delta', `${fields}}`)
      return
    }
    for (const one of logProbabilities) this.#logProbabilities.push(one)
    const logprobs = logProbabilities.length === 0 ? '[]' : JSON.stringify(logProbabilities)
    this.#log.addJson('response.output_text.delta', `${fields},"logprobs":${logprobs}}`)
  }

  #addAnnotation(annotation: Annotation): void {
    this.#addWritten(writeAnnotation(annotation, this.#text.length))
    this.#annotations.push(annotation)
  }

  #addWritten(annotation: JsonObject): void {
    const place = { ...this.#place, annotation_index: this.#written++ }
    this.#log.add('response.output_text.annotation.added', { ...place, annotation })
  }
}

const textIn = (part: OutputPart | undefined): string =>
  part?.type === 'text' || part?.type === 'refusal' ? part.text : ''
