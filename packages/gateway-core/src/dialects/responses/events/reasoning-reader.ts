import type { ReasoningPart } from '../../conversation/conversation-parts.ts'
import type { JsonObject } from '../../dialect.ts'
import { numberIn, textOf } from '../../json-values.ts'
import { readReasoning } from '../items/reasoning-items.ts'
import { restOf } from './event-log.ts'
import { type ItemReader, type Step, textStep } from './item-reader.ts'

/** Reads what the model thought, and its summaries. */
export class ReasoningReader implements ItemReader {
  readonly #head: ReasoningPart
  #begun = false
  #text = ''
  readonly #summaries: string[] = []
  /** The places of the upstream's summaries. */
  readonly #places = new Map<number, number>()

  constructor(item: JsonObject) {
    const { id } = readReasoning(item)
    this.#head = { type: 'reasoning', text: '', summary: [], ...(id === undefined ? {} : { id }) }
  }

  read(type: string, event: JsonObject): readonly Step[] {
    const steps = this.#begin()
    const index = numberIn(event.summary_index)
    const place = index === undefined ? 0 : this.#placeOf(index)
    if (type === 'response.reasoning_text.delta' || type === 'response.reasoning_text.done') {
      const delta = textOf(event.delta) ?? restOf(textOf(event.text) ?? '', this.#text)
      this.#text += delta
      return [...steps, ...textStep(delta)]
    }
    const isSummary = /^response\.reasoning_summary_text\.(?:delta|done)$/.test(type)
    return isSummary ? [...steps, ...this.#readSummary(place, event)] : steps
  }

  end(item: JsonObject | undefined): readonly Step[] {
    const final = item ? readReasoning(item) : this.#head
    const text = final.text || this.#text
    const summary = final.summary.length > 0 ? final.summary : this.#summaries
    const steps = [...this.#begin(), ...textStep(restOf(text, this.#text))]
    for (const [place, whole] of summary.entries()) {
      for (const step of this.#summarize(place, restOf(whole, this.#summaries[place] ?? ''))) steps.push(step)
    }
    return [...steps, { type: 'part-end', part: { ...this.#head, ...final, text, summary: [...summary] } }]
  }

  #begin(): readonly Step[] {
    if (this.#begun) return []
    this.#begun = true
    return [{ type: 'part', part: this.#head }]
  }

  #readSummary(place: number, event: JsonObject): readonly Step[] {
    const delta = textOf(event.delta) ?? restOf(textOf(event.text) ?? '', this.#summaries[place] ?? '')
    return this.#summarize(place, delta)
  }

  #placeOf(index: number): number {
    const known = this.#places.get(index)
    if (known !== undefined) return known
    const place = this.#summaries.length
    this.#places.set(index, place)
    this.#summaries.push('')
    return place
  }

  #summarize(place: number, delta: string): readonly Step[] {
    this.#summaries[place] = (this.#summaries[place] ?? '') + delta
    return delta === '' ? [] : [{ type: 'summary', summary: place, text: delta }]
  }
}
