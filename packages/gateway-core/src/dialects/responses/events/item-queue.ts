import type { ConversationEvent } from '../../conversation/conversation-answer.ts'
import type { JsonObject } from '../../dialect.ts'
import type { ItemReader, Step } from './item-reader.ts'

interface Item {
  readonly reader: ItemReader
  /** Steps that wait for the items before. */
  readonly waiting: Step[]
  ended: boolean
}

/** Puts the parts of items one after the other, also where an upstream mixes their events. */
export class ItemQueue {
  readonly #items = new Map<number, Item>()
  readonly #order: Item[] = []
  #front = 0
  #parts = 0

  has(index: number): boolean {
    return this.#items.has(index)
  }

  add(index: number, reader: ItemReader): void {
    const item = { reader, waiting: [], ended: false }
    this.#items.set(index, item)
    this.#order.push(item)
  }

  read(index: number, type: string, event: JsonObject): readonly ConversationEvent[] {
    const item = this.#items.get(index)
    if (!item || item.ended) return []
    for (const step of item.reader.read(type, event)) item.waiting.push(step)
    return this.#flush()
  }

  end(index: number, complete: JsonObject | undefined): readonly ConversationEvent[] {
    const item = this.#items.get(index)
    if (!item || item.ended) return []
    item.ended = true
    for (const step of item.reader.end(complete)) item.waiting.push(step)
    return this.#flush()
  }

  /** Ends all items. */
  endAll(): readonly ConversationEvent[] {
    return [...this.#items.keys()].flatMap((index) => this.end(index, undefined))
  }

  #flush(): readonly ConversationEvent[] {
    const events: ConversationEvent[] = []
    for (let item = this.#order[this.#front]; item; item = this.#order[this.#front]) {
      for (const step of item.waiting) events.push(this.#number(step))
      item.waiting.length = 0
      if (!item.ended) break
      this.#front += 1
    }
    return events
  }

  #number(step: Step): ConversationEvent {
    if (step.type === 'part') this.#parts += 1
    return { ...step, index: this.#parts - 1 }
  }
}
