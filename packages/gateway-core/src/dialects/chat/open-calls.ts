import { isObject } from '../../chat/is-object.ts'
import type { ConversationEvent } from '../conversation/conversation-answer.ts'
import type { ToolCallPart } from '../conversation/conversation-parts.ts'
import type { JsonObject } from '../dialect.ts'
import { countIn, objectOr, textIn, textOr } from '../json-values.ts'
import type { AnswerContext } from '../translation.ts'
import { asCalled, type CalledTool, calledTools } from './call-tools.ts'
import { argumentsOf } from './read-turns.ts'

interface OpenCall {
  readonly id: string | undefined
  readonly kind: ToolCallPart['kind']
  name: string
  readonly pieces: string[]
  /** Set as soon as the name is known. */
  shown: { readonly index: number; readonly part: ToolCallPart; readonly tool: CalledTool } | undefined
}

/** The calls of one stream. They may overlap, and end with the answer. */
export class OpenCalls {
  readonly #calls: OpenCall[] = []
  /** The last call under each `index` of the upstream. */
  readonly #byIndex = new Map<number, OpenCall>()
  readonly #toolOf: ReturnType<typeof calledTools>
  readonly #newId: () => string
  readonly #nextIndex: () => number

  /** @param nextIndex returns the index of the next part of the answer */
  constructor(context: AnswerContext, nextIndex: () => number) {
    this.#toolOf = calledTools(context)
    this.#newId = context.newId
    this.#nextIndex = nextIndex
  }

  get any(): boolean {
    return this.#calls.length > 0
  }

  /** @param delta a new call, or the next piece of one */
  read(delta: JsonObject): readonly ConversationEvent[] {
    const call = this.#callOf(delta)
    const { name, arguments: given, input } = objectOr(call.kind === 'custom' ? delta.custom : delta.function)
    if (call.shown === undefined) call.name += textOr(name)
    const piece = call.kind === 'custom' ? textOr(input) : argumentsOf(given)
    if (piece !== '') call.pieces.push(piece)
    if (call.shown === undefined) return call.name === '' ? [] : this.#show(call)
    return piece === '' || call.shown.tool.isFunction ? [] : [{ type: 'text', index: call.shown.index, text: piece }]
  }

  end(): readonly ConversationEvent[] {
    return this.#calls.flatMap((call): readonly ConversationEvent[] => {
      const begun = call.shown === undefined ? this.#show(call) : []
      if (call.shown === undefined) return begun
      const { index, part, tool } = call.shown
      const whole = asCalled({ ...part, input: call.pieces.join('') }, tool)
      const text: readonly ConversationEvent[] =
        tool.isFunction && whole.input !== '' ? [{ type: 'text', index, text: whole.input }] : []
      return [...begun, ...text, { type: 'part-end', index, part: whole }]
    })
  }

  /** Some upstreams repeat an index for each call, or have none. A new id with a name is then a new call. */
  #callOf(delta: JsonObject): OpenCall {
    const index = countIn(delta.index)
    const id = textIn(delta.id)
    const isCustom = delta.type === 'custom' || isObject(delta.custom)
    const named = textIn(objectOr(isCustom ? delta.custom : delta.function).name) !== undefined
    const known = index === undefined ? this.#calls.at(-1) : this.#byIndex.get(index)
    const isNew = known === undefined || (named && id !== undefined && known.id !== undefined && id !== known.id)
    if (known && !isNew) return known
    const call: OpenCall = { id, kind: isCustom ? 'custom' : 'function', name: '', pieces: [], shown: undefined }
    this.#calls.push(call)
    if (index !== undefined) this.#byIndex.set(index, call)
    return call
  }

  #show(call: OpenCall): readonly ConversationEvent[] {
    const tool = this.#toolOf(call.name, call.kind)
    const { isFunction, ...named } = tool
    const callId = call.id ?? `call_${this.#newId()}`
    const part: ToolCallPart = { type: 'tool-call', callId, ...named, input: '' }
    const index = this.#nextIndex()
    call.shown = { index, part, tool }
    const given = call.pieces.join('')
    const text: readonly ConversationEvent[] = isFunction || given === '' ? [] : [{ type: 'text', index, text: given }]
    return [{ type: 'part', index, part }, ...text]
  }
}
