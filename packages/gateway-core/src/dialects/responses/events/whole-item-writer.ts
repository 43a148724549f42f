import type { ForeignPart, ImagePart, OutputPart, SearchCallPart } from '../../conversation/conversation-parts.ts'
import type { JsonObject } from '../../dialect.ts'
import type { AnswerContext } from '../../translation.ts'
import { writeItem } from '../answers/write-items.ts'
import type { ItemPlace } from './call-writer.ts'
import type { EventLog } from './event-log.ts'
import type { PartWriter } from './part-writer.ts'

type WholePart = SearchCallPart | ImagePart | ForeignPart

const stepsOf = {
  'search-call': ['response.web_search_call.in_progress', 'response.web_search_call.searching'],
  image: ['response.image_generation_call.in_progress', 'response.image_generation_call.generating'],
  foreign: [],
}

const endOf = {
  'search-call': 'response.web_search_call.completed',
  image: 'response.image_generation_call.completed',
  foreign: undefined,
}

/** Writes a search, an image or another item whose content is known when it has ended. */
export class WholeItemWriter implements PartWriter {
  readonly #log: EventLog
  readonly #context: AnswerContext
  readonly #place: ItemPlace
  readonly #part: WholePart

  constructor(log: EventLog, context: AnswerContext, place: ItemPlace, part: WholePart) {
    this.#log = log
    this.#context = context
    this.#place = place
    this.#part = part
    const item = writeItem(part, place.id, context, 'in_progress')
    log.beginItem(place.index, item)
    for (const step of stepsOf[part.type]) log.add(step, this.#where())
  }

  add(): void {}

  end(final: OutputPart | undefined): void {
    const part = final?.type === this.#part.type ? final : this.#part
    const end = endOf[this.#part.type]
    if (end !== undefined) this.#log.add(end, this.#where())
    const item = writeItem(part, this.#place.id, this.#context, 'completed')
    this.#log.endItem(this.#place.index, item)
  }

  #where(): JsonObject {
    return { item_id: this.#place.id, output_index: this.#place.index }
  }
}
