import { invalidParameter } from '../../providers/refused-parameter.ts'
import type {
  CacheMark,
  FilePart,
  ForeignPart,
  ImagePart,
  OutputPart,
  SearchCallPart,
  TextPart,
} from '../conversation/conversation-parts.ts'
import type { ToolResult } from '../conversation/conversation-request.ts'
import type { JsonObject } from '../dialect.ts'
import { jsonLength } from '../requests/json-length.ts'
import { decodedCallId } from './call-ids.ts'
import { annotationsFrom } from './citations.ts'
import { given, listOr, objectOr, textIn, textOr } from './fields.ts'
import { documentSourceFrom, sourceFrom } from './media.ts'
import { isSearchUse, searchFrom, searchWith } from './searches.ts'
import { reasoningFrom } from './signatures.ts'

export const cacheMark = ({ cache_control }: JsonObject): CacheMark =>
  cache_control === undefined || cache_control === null ? {} : { cacheControl: cache_control }

export const foreign = (value: JsonObject, at: string): ForeignPart => ({
  type: 'foreign',
  dialect: 'messages',
  name: textOr(value.type).slice(0, 128),
  value,
  at,
})

/** Reads the content of a message, which may be a text, as blocks with their places. */
export function blocksIn(content: unknown, at: string): readonly (readonly [block: JsonObject, at: string])[] {
  if (typeof content === 'string') return content === '' ? [] : [[{ type: 'text', text: content }, at]]
  return listOr(content).map((block, index) => [objectOr(block), `${at}[${index}]`])
}

/** Reads a text. Empty ones, which clients send to keep a place, have no part. */
export function textPart(block: JsonObject, at: string): readonly TextPart[] {
  if (textOr(block.text) === '') return []
  const annotations = annotationsFrom(block.citations, block.text)
  return [
    {
      type: 'text',
      text: textOr(block.text),
      ...(annotations.length > 0 ? { annotations } : {}),
      ...cacheMark(block),
      at,
    },
  ]
}

/** Reads a block of a user or of a tool. */
export function inputPart(block: JsonObject, at: string): readonly (TextPart | ImagePart | FilePart | ForeignPart)[] {
  switch (block.type) {
    case 'text':
      return textPart(block, at)
    case 'image': {
      const source = sourceFrom(objectOr(block.source), 'image/png')
      return [source ? { type: 'image', source, ...cacheMark(block), at } : foreign(block, at)]
    }
    case 'document':
      return [documentPart(block, at)]
    case 'search_result':
      return [searchResultPart(block, at)]
    default:
      return [foreign(block, at)]
  }
}

function documentPart(block: JsonObject, at: string): FilePart | ForeignPart {
  const source = documentSourceFrom(objectOr(block.source))
  if (!source) return foreign(block, at)
  const { enabled } = objectOr(block.citations)
  return {
    type: 'file',
    source,
    ...given('name', textIn(block.title)),
    ...given('context', textIn(block.context)),
    ...(typeof enabled === 'boolean' ? { citations: enabled } : {}),
    ...cacheMark(block),
    at,
  }
}

/** A search result of the client's own is a document for the other dialects. */
function searchResultPart(block: JsonObject, at: string): FilePart {
  const text = listOr(block.content).map((item) => textOr(objectOr(item).text))
  return {
    type: 'file',
    source: { type: 'text', text: text.join('\n\n') },
    ...given('name', textIn(block.title)),
    ...given('context', textIn(block.source)),
    ...cacheMark(block),
    at,
  }
}

/** Reads the result of a call. */
export function toolResult(block: JsonObject, at: string): ToolResult {
  return {
    role: 'tool',
    callId: decodedCallId(textOr(block.tool_use_id)),
    kind: 'function',
    content: blocksIn(block.content, `${at}.content`).flatMap(([part, place]) => inputPart(part, place)),
    ...(block.is_error === true ? { isError: true } : {}),
    ...cacheMark(block),
    at,
  }
}

/** Reads what the model said. The result of a search belongs to its call. */
export function outputParts(content: unknown, at: string): readonly OutputPart[] {
  const parts: OutputPart[] = []
  const searches = new Map<unknown, number>()
  for (const [block, place] of blocksIn(content, at)) {
    const search = block.type === 'web_search_tool_result' ? searches.get(block.tool_use_id) : undefined
    const call = search === undefined ? undefined : parts[search]
    if (search !== undefined && call?.type === 'search-call') parts[search] = searchWith(call, block.content)
    else if (isSearchUse(block)) searches.set(block.id, parts.push(searchPart(block, place)) - 1)
    else parts.push(...outputPart(block, place))
  }
  return parts
}

const searchPart = (block: JsonObject, at: string): SearchCallPart => ({ ...searchFrom(block), at })

/** Reads a block of the model other than a search. */
export function outputPart(block: JsonObject, at: string): readonly OutputPart[] {
  switch (block.type) {
    case 'text':
      return textPart(block, at)
    case 'thinking':
      return [{ ...reasoningFrom(textOr(block.thinking), textOr(block.signature)), at }]
    case 'redacted_thinking':
      return [{ type: 'reasoning', text: '', summary: [], redacted: textOr(block.data), at }]
    case 'tool_use':
      if (typeof block.toolset_name === 'string') return [foreign(block, at)]
      return [
        {
          type: 'tool-call',
          callId: decodedCallId(textOr(block.id)),
          kind: 'function',
          name: textOr(block.name),
          input: encodedInput(objectOr(block.input), at),
          ...cacheMark(block),
          at,
        },
      ]
    default:
      return [foreign(block, at)]
  }
}

/** The most characters of the input of a call, which is encoded in one turn of the event loop. */
const MOST_INPUT = 2 ** 23

function encodedInput(input: JsonObject, at: string): string {
  if (jsonLength(input) <= MOST_INPUT) return JSON.stringify(input)
  throw invalidParameter(
    `${at}.input`,
    `The input of a call must have at most ${MOST_INPUT} characters with this model.`,
  )
}
