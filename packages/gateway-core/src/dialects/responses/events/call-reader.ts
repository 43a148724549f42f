import type { ToolCallPart } from '../../conversation/conversation-parts.ts'
import type { JsonObject } from '../../dialect.ts'
import { textOf } from '../../json-values.ts'
import { readCall } from '../items/call-items.ts'
import { restOf } from './event-log.ts'
import { type ItemReader, type Step, textStep } from './item-reader.ts'

/** Reads the call of a function or of a custom tool. */
export class CallReader implements ItemReader {
  readonly #customAsFunctions: ReadonlySet<string>
  /** The call without its input; absent before its name is known. */
  #head: ToolCallPart | undefined
  /** Whether the input is known only as a whole, because it is a member of the arguments. */
  readonly #wrapped: boolean
  #input = ''
  #begun = false

  /** @param item the item as it began; absent where the upstream announced none */
  constructor(item: JsonObject | undefined, customAsFunctions: ReadonlySet<string>) {
    this.#customAsFunctions = customAsFunctions
    if (item && textOf(item.name) !== undefined) this.#head = { ...readCall(item, customAsFunctions), input: '' }
    this.#wrapped = item?.type === 'function_call' && this.#head?.kind === 'custom'
  }

  read(type: string, event: JsonObject): readonly Step[] {
    const isDelta =
      type === 'response.function_call_arguments.delta' || type === 'response.custom_tool_call_input.delta'
    const isDone = type === 'response.function_call_arguments.done' || type === 'response.custom_tool_call_input.done'
    const whole = isDone ? (textOf(event.arguments) ?? textOf(event.input)) : undefined
    const text = isDelta ? (textOf(event.delta) ?? '') : restOf(whole ?? '', this.#input)
    this.#input += text
    if (!this.#head || this.#wrapped) return []
    return [...this.#begin(this.#head), ...textStep(text)]
  }

  end(item: JsonObject | undefined): readonly Step[] {
    const call = this.#complete(item)
    if (!call) return []
    const sent = this.#begun ? this.#input : ''
    return [...this.#begin(call), ...textStep(restOf(call.input, sent)), { type: 'part-end', part: call }]
  }

  #begin(call: ToolCallPart): readonly Step[] {
    if (this.#begun) return []
    this.#begun = true
    return [{ type: 'part', part: { ...call, input: '' } }]
  }

  #complete(item: JsonObject | undefined): ToolCallPart | undefined {
    const final = item && readCall(item, this.#customAsFunctions)
    if (!final) return this.#head && { ...this.#head, input: this.#input }
    const input = final.input || this.#input
    // What was announced stays, as the client has read it.
    return this.#begun ? { ...final, ...this.#head, input } : { ...final, input }
  }
}
