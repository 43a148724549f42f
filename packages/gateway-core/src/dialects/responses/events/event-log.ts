import type { JsonObject } from '../../dialect.ts'

/** Collects the text of events, which count from 0, and the items that have ended. */
export class EventLog {
  #sequence = 0
  #text = ''
  readonly #items = new Map<number, JsonObject>()

  add(type: string, fields: JsonObject): void {
    // Every event has fields, so their JSON continues that of the two before them.
    this.addJson(type, JSON.stringify(fields).slice(1))
  }

  /** Adds an event with fields in JSON, without the brace at their beginning. */
  addJson(type: string, fields: string): void {
    this.#text += `event: ${type}\ndata: {"type":"${type}","sequence_number":${this.#sequence},${fields}\n\n`
    this.#sequence += 1
  }

  beginItem(index: number, item: JsonObject | undefined): void {
    this.add('response.output_item.added', { output_index: index, item })
  }

  endItem(index: number, item: JsonObject | undefined): void {
    if (!item) return
    this.#items.set(index, item)
    this.add('response.output_item.done', { output_index: index, item })
  }

  /** Returns the items that have ended, in the order of the answer. */
  get items(): readonly JsonObject[] {
    return [...this.#items].sort(([one], [other]) => one - other).map(([, item]) => item)
  }

  /** Returns the text since the last call. */
  take(): string {
    const text = this.#text
    this.#text = ''
    return text
  }
}

/** Returns the end of a text of which a beginning was sent. Empty where another text was sent. */
export const restOf = (text: string, sent: string): string => (text.startsWith(sent) ? text.slice(sent.length) : '')
