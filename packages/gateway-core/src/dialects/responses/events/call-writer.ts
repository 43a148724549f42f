import type { OutputPart, ToolCallPart } from '../../conversation/conversation-parts.ts'
import type { AnswerContext } from '../../translation.ts'
import { writeItem } from '../answers/write-items.ts'
import { type EventLog, restOf } from './event-log.ts'
import type { Addition, PartWriter } from './part-writer.ts'

/** Where an item is. */
export interface ItemPlace {
  readonly index: number
  readonly id: string
}

/** Writes the call of a function or of a custom tool. */
export class CallWriter implements PartWriter {
  readonly #log: EventLog
  readonly #context: AnswerContext
  readonly #place: ItemPlace
  readonly #part: ToolCallPart
  #input = ''

  constructor(log: EventLog, context: AnswerContext, place: ItemPlace, part: ToolCallPart) {
    this.#log = log
    this.#context = context
    this.#place = place
    this.#part = part
    const item = writeItem({ ...part, input: '' }, place.id, context, 'in_progress')
    // Clients append the deltas to it.
    log.beginItem(place.index, part.kind === 'function' ? { ...item, arguments: '' } : item)
  }

  add(addition: Addition): void {
    if (addition.type === 'text') this.#addInput(addition.text)
  }

  end(final: OutputPart | undefined, cut = final === undefined): void {
    const part = final?.type === 'tool-call' ? final : this.#part
    const input = part.input || this.#input || (this.#part.kind === 'function' ? '{}' : '')
    this.#addInput(restOf(input, this.#input))
    if (this.#part.kind === 'custom') this.#log.add(`${CUSTOM}.done`, { ...this.#where(), input })
    else this.#log.add(`${FUNCTION}.done`, { ...this.#where(), name: this.#part.name, arguments: input })
    const item = writeItem({ ...this.#part, input }, this.#place.id, this.#context, cut ? 'incomplete' : 'completed')
    this.#log.endItem(this.#place.index, item)
  }

  #addInput(delta: string): void {
    if (delta === '') return
    this.#input += delta
    this.#log.add(this.#part.kind === 'custom' ? `${CUSTOM}.delta` : `${FUNCTION}.delta`, { ...this.#where(), delta })
  }

  #where() {
    return { item_id: this.#place.id, output_index: this.#place.index }
  }
}

const CUSTOM = 'response.custom_tool_call_input'
const FUNCTION = 'response.function_call_arguments'
