import type { JsonObject } from '../../dialect.ts'
import { type EventLog, restOf } from './event-log.ts'

/** The most summaries that begin together, where the first of them are empty. */
const MAX_GAP = 16

/** Writes the summaries of one reasoning item, one after the other. */
export class SummaryWriter {
  readonly #log: EventLog
  readonly #where: JsonObject
  readonly #texts: string[] = []

  constructor(log: EventLog, where: JsonObject) {
    this.#log = log
    this.#where = where
  }

  /** Appends to a summary. Additions to one before the last are left for its complete form. */
  add(index: number, delta: string): void {
    if (index < this.#texts.length - 1 || delta === '') return
    const missing = Math.min(MAX_GAP, index + 1 - this.#texts.length)
    for (let begun = 0; begun < missing; begun += 1) this.#begin()
    const last = this.#texts.length - 1
    this.#texts[last] += delta
    this.#log.add('response.reasoning_summary_text.delta', { ...this.#where, summary_index: last, delta })
  }

  /** Completes all summaries. */
  end(summaries: readonly string[]): void {
    for (const [index, summary] of summaries.entries()) {
      if (index >= this.#texts.length) this.#begin()
      this.add(index, restOf(summary, this.#texts[index] ?? ''))
    }
    this.#endLast()
  }

  get texts(): readonly string[] {
    return this.#texts
  }

  #begin(): void {
    this.#endLast()
    this.#texts.push('')
    this.#log.add('response.reasoning_summary_part.added', {
      ...this.#where,
      summary_index: this.#texts.length - 1,
      part: { type: 'summary_text', text: '' },
    })
  }

  #endLast(): void {
    const text = this.#texts.at(-1)
    if (text === undefined) return
    const where = { ...this.#where, summary_index: this.#texts.length - 1 }
    this.#log.add('response.reasoning_summary_text.done', { ...where, text })
    this.#log.add('response.reasoning_summary_part.done', { ...where, part: { type: 'summary_text', text } })
  }
}
