import type { OutputPart, ReasoningPart } from '../../conversation/conversation-parts.ts'
import type { AnswerContext } from '../../translation.ts'
import { showsReasoning, writeItem } from '../answers/write-items.ts'
import type { ItemPlace } from './call-writer.ts'
import { type EventLog, restOf } from './event-log.ts'
import type { Addition, PartWriter } from './part-writer.ts'
import { SummaryWriter } from './summary-writer.ts'

/** Writes what the model thought. */
export class ReasoningWriter implements PartWriter {
  readonly #log: EventLog
  readonly #context: AnswerContext
  readonly #place: ItemPlace
  readonly #part: ReasoningPart
  readonly #summaries: SummaryWriter
  /** Whether the text is the first summary. */
  readonly #shown: boolean
  #text = ''

  constructor(log: EventLog, context: AnswerContext, place: ItemPlace, part: ReasoningPart) {
    this.#log = log
    this.#context = context
    this.#place = place
    this.#part = part
    this.#shown = showsReasoning(context)
    this.#summaries = new SummaryWriter(log, this.#where())
    const item = writeItem({ type: 'reasoning', text: '', summary: [] }, place.id, context, 'in_progress')
    log.beginItem(place.index, item)
  }

  add(addition: Addition): void {
    if (addition.type === 'text') this.#addText(addition.text)
    else if (addition.type === 'summary') this.#summaries.add(addition.summary + this.#offset(), addition.text)
  }

  end(final: OutputPart | undefined): void {
    const part = final?.type === 'reasoning' ? final : this.#sent()
    const text = part.text || this.#text
    this.#addText(restOf(text, this.#text))
    this.#summaries.end(this.#offset() === 0 ? part.summary : [text, ...part.summary])
    if (text !== '' && !this.#shown) this.#endText(text)
    const item = writeItem({ ...part, text }, this.#place.id, this.#context, 'completed')
    this.#log.endItem(this.#place.index, item)
  }

  #sent(): ReasoningPart {
    return { ...this.#part, text: this.#text, summary: this.#summaries.texts.slice(this.#offset()) }
  }

  #offset(): 0 | 1 {
    return this.#shown && this.#text !== '' ? 1 : 0
  }

  #addText(delta: string): void {
    if (delta === '') return
    const first = this.#text === ''
    this.#text += delta
    if (this.#shown) {
      this.#summaries.add(0, delta)
      return
    }
    if (first) this.#log.add('response.content_part.added', { ...this.#content(), part: { type: TEXT, text: '' } })
    this.#log.add('response.reasoning_text.delta', { ...this.#content(), delta })
  }

  #endText(text: string): void {
    this.#log.add('response.reasoning_text.done', { ...this.#content(), text })
    this.#log.add('response.content_part.done', { ...this.#content(), part: { type: TEXT, text } })
  }

  #where() {
    return { item_id: this.#place.id, output_index: this.#place.index }
  }

  #content() {
    return { ...this.#where(), content_index: 0 }
  }
}

const TEXT = 'reasoning_text'
