import { isObject } from '../../chat/is-object.ts'
import { parseJson } from '../../chat/parse-json.ts'
import { isTooDeep } from '../../nesting.ts'
import type { ConversationEvent } from '../conversation/conversation-answer.ts'
import type { OutputPart, SearchCallPart } from '../conversation/conversation-parts.ts'
import type { JsonObject } from '../dialect.ts'
import { listOr, objectOr, textOr } from '../json-values.ts'
import { Seals } from '../seals.ts'
import type { AnswerContext } from '../translation.ts'
import { decodedCallId } from './call-ids.ts'
import { citationsFrom } from './citations.ts'
import { type ClientCalls, clientCalls } from './client-calls.ts'
import { foreign } from './read-parts.ts'
import { isSearchUse, searchFrom, searchWith } from './searches.ts'
import { reasoningFrom } from './signatures.ts'

type Steps = readonly ConversationEvent[]

/** Reads the blocks of one stream, one at a time: a block that begins ends the one before. */
export interface BlockReader {
  start(index: unknown, block: JsonObject): Steps
  delta(index: unknown, delta: JsonObject): Steps
  stop(index: unknown): Steps
  /** Adds a part that is known as a whole. */
  whole(part: OutputPart): Steps
  /** Ends what is open. */
  end(): Steps
}

interface OpenBlock {
  readonly place: unknown
  readonly index: number
  readonly block: JsonObject
  /** Text, thinking or JSON, as far as it has arrived. */
  text: string
  signature: string
  readonly citations: unknown[]
}

export function blockReader(context: AnswerContext): BlockReader {
  const calls = clientCalls(context)
  let parts = 0
  let open: OpenBlock | undefined
  /** A search whose results follow. */
  let search: { readonly index: number; readonly part: SearchCallPart } | undefined

  const endSearch = (content?: unknown): Steps => {
    if (!search) return []
    const { index, part } = search
    search = undefined
    return [{ type: 'part-end', index, part: content === undefined ? part : searchWith(part, content) }]
  }
  const close = (): Steps => {
    const block = open
    open = undefined
    if (!block) return []
    if (!isSearchUse(block.block)) return lastSteps(block, calls)
    search = { index: block.index, part: searchFrom({ ...block.block, input: inputOf(block) }) }
    return []
  }
  const append = (block: OpenBlock, text: string): Steps => {
    if (text === '') return []
    block.text += text
    return isShown(block.block, calls) ? [{ type: 'text', index: block.index, text }] : []
  }

  const start: BlockReader['start'] = (place, block) => {
    const before = close()
    if (block.type === 'web_search_tool_result' && search?.part.id === textOr(block.tool_use_id)) {
      return [...before, ...endSearch(block.content ?? [])]
    }
    const index = parts
    parts += 1
    const opened: OpenBlock = { place, index, block, text: '', signature: textOr(block.signature), citations: [] }
    const searched = endSearch()
    open = opened
    opened.citations.push(...listOr(block.citations))
    return [
      ...before,
      ...searched,
      { type: 'part', index, part: firstPart(block, calls) },
      ...append(opened, firstText(block)),
    ]
  }
  const delta: BlockReader['delta'] = (place, change) => {
    if (!open || open.place !== place) return []
    const { type } = open.block
    if (change.type === 'text_delta' && type === 'text') return append(open, textOr(change.text))
    if (change.type === 'thinking_delta' && type === 'thinking') return append(open, textOr(change.thinking))
    if (change.type === 'input_json_delta' && isCall(open.block)) return append(open, textOr(change.partial_json))
    if (change.type === 'signature_delta') open.signature += textOr(change.signature)
    if (change.type === 'citations_delta') open.citations.push(change.citation)
    return []
  }
  return {
    start,
    delta,
    stop: (place) => (open?.place === place ? close() : []),
    whole: (part) => {
      const index = parts
      parts += 1
      const text = part.type === 'refusal' ? part.text : ''
      return [
        { type: 'part', index, part: part.type === 'refusal' ? { ...part, text: '' } : part },
        ...(text === '' ? [] : [{ type: 'text' as const, index, text }]),
        { type: 'part-end', index, part },
      ]
    },
    end: () => [...close(), ...endSearch()],
  }
}

const isCall = ({ type }: JsonObject): boolean =>
  type === 'tool_use' || type === 'server_tool_use' || type === 'mcp_tool_use'

const isFunction = ({ type, toolset_name }: JsonObject): boolean =>
  type === 'tool_use' && typeof toolset_name !== 'string'

/** Returns whether pieces of a block are passed on as they arrive. The JSON around a custom tool's input is not. */
const isShown = (block: JsonObject, calls: ClientCalls): boolean =>
  block.type === 'text' || block.type === 'thinking' || (isFunction(block) && !calls.isCustom(textOr(block.name)))

function firstText(block: JsonObject): string {
  if (block.type === 'text') return textOr(block.text)
  if (block.type === 'thinking') return textOr(block.thinking)
  return isCall(block) && Object.keys(objectOr(block.input)).length > 0 ? JSON.stringify(block.input) : ''
}

function firstPart(block: JsonObject, calls: ClientCalls): OutputPart {
  if (block.type === 'text') return { type: 'text', text: '' }
  if (block.type === 'thinking') return { type: 'reasoning', text: '', summary: [] }
  if (block.type === 'redacted_thinking') return redacted(block)
  if (isFunction(block)) return callPart(block, '', calls)
  if (isSearchUse(block)) return { ...searchFrom(block), query: '' }
  return withoutPlace(foreign(block, ''))
}

const redacted = ({ data }: JsonObject): OutputPart => ({
  type: 'reasoning',
  text: '',
  summary: [],
  redacted: textOr(data),
})

function callPart(block: JsonObject, input: string, calls: ClientCalls): OutputPart {
  const part = calls.partOf({
    type: 'tool-call',
    callId: decodedCallId(textOr(block.id)),
    kind: 'function',
    name: textOr(block.name),
    input,
  })
  return part
}

function withoutPlace({ at: _, ...part }: OutputPart): OutputPart {
  return part
}

function inputOf({ text }: OpenBlock): JsonObject {
  const input = parseJson(text)
  return isObject(input) && !isTooDeep(input) ? input : {}
}

/** The additions that are known at the end only, and the complete part. */
function lastSteps(open: OpenBlock, calls: ClientCalls): Steps {
  const { block, index, text } = open
  if (block.type === 'text') {
    const citations = citationsFrom(open.citations, text)
    return [
      ...(citations.annotations ?? []).map((annotation) => ({ type: 'annotation' as const, index, annotation })),
      { type: 'part-end', index, part: { type: 'text', text, ...citations } },
    ]
  }
  if (block.type === 'thinking')
    return [{ type: 'part-end', index, part: reasoningFrom(text, open.signature, new Seals()) }]
  if (block.type === 'redacted_thinking') return [{ type: 'part-end', index, part: redacted(block) }]
  if (!isFunction(block)) {
    const value = isCall(block) ? { ...block, input: inputOf(open) } : block
    return [{ type: 'part-end', index, part: withoutPlace(foreign(value, '')) }]
  }
  const json = text === '' ? '{}' : text
  const part = callPart(block, json, calls)
  const late = calls.isCustom(textOr(block.name)) && part.type === 'tool-call' ? part.input : text === '' ? json : ''
  return [...(late === '' ? [] : [{ type: 'text' as const, index, text: late }]), { type: 'part-end', index, part }]
}
