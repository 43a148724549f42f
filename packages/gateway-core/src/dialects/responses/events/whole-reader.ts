import type { JsonObject } from '../../dialect.ts'
import { readOutputItem } from '../items/read-output-item.ts'
import type { ItemReader, Step } from './item-reader.ts'

const noFunctions: ReadonlySet<string> = new Set()

/** Reads an item whose kind and content are known when it has ended, such as a search. */
export class WholeReader implements ItemReader {
  readonly #announced: JsonObject | undefined

  constructor(item: JsonObject | undefined) {
    this.#announced = item
  }

  read(): readonly Step[] {
    return []
  }

  end(item = this.#announced): readonly Step[] {
    const [part] = item ? readOutputItem(item, noFunctions) : []
    if (!part) return []
    const empty = part.type === 'search-call' ? { type: part.type, id: part.id, query: '' } : part
    return [
      { type: 'part', part: empty },
      { type: 'part-end', part },
    ]
  }
}
