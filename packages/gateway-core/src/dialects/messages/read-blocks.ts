import { invalidParameter } from '../../providers/refused-parameter.ts'
import type {
  FilePart,
  ForeignPart,
  ImagePart,
  OutputPart,
  SearchCallPart,
  TextPart,
} from '../conversation/conversation-parts.ts'
import type { ToolResult } from '../conversation/conversation-request.ts'
import { isLongId } from '../conversation/tool-bounds.ts'
import type { JsonObject } from '../dialect.ts'
import { type JsonAllowance, MOST_CHARACTERS } from '../json-allowance.ts'
import { listOr, objectOr, textOr } from '../json-values.ts'
import { jsonLength } from '../requests/json-length.ts'
import type { Seals } from '../seals.ts'
import { decodedCallId } from './call-ids.ts'
import { documentParts, searchResultPart } from './read-documents.ts'
import { cacheMark, foreign, imagePart, textPart } from './read-parts.ts'
import { isSearchUse, searchFrom, searchWith } from './searches.ts'
import { reasoningFrom } from './signatures.ts'

/** Reads the content of a message, which may be a text, as blocks with their places. */
export function blocksIn(content: unknown, at: string): readonly (readonly [block: JsonObject, at: string])[] {
  if (typeof content === 'string') return content === '' ? [] : [[{ type: 'text', text: content }, at]]
  return listOr(content).map((block, index) => [objectOr(block), `${at}[${index}]`])
}

/** Reads a block of a user or of a tool. */
export function inputPart(block: JsonObject, at: string): readonly (TextPart | ImagePart | FilePart | ForeignPart)[] {
  switch (block.type) {
    case 'text':
      return textPart(block, at)
    case 'image':
      return [imagePart(block, at)]
    case 'document':
      return documentParts(block, at)
    case 'search_result':
      return [searchResultPart(block, at)]
    case 'tool_reference':
      // The other dialects offer all tools from the start.
      return [{ type: 'text', text: `The tool '${textOr(block.tool_name)}' is available.`, at }]
    default:
      return [foreign(block, at)]
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

/** Bounds what is decoded and encoded in one turn of the event loop for a request or an answer. */
export interface ReadBounds {
  readonly seals: Seals
  readonly inputs: JsonAllowance
}

/** Reads what the model said. The result of a search belongs to its call. */
export function outputParts(content: unknown, at: string, bounds: ReadBounds): readonly OutputPart[] {
  const parts: OutputPart[] = []
  const searches = new Map<unknown, number>()
  for (const [block, place] of blocksIn(content, at)) {
    const search = block.type === 'web_search_tool_result' ? searches.get(block.tool_use_id) : undefined
    const call = search === undefined ? undefined : parts[search]
    if (search !== undefined && call?.type === 'search-call') parts[search] = searchWith(call, block.content)
    else if (isSearchUse(block)) {
      parts.push(searchPart(block, place))
      if (!isLongId(block.id)) searches.set(block.id, parts.length - 1)
    } else parts.push(...outputPart(block, place, bounds))
  }
  return parts
}

const searchPart = (block: JsonObject, at: string): SearchCallPart => ({ ...searchFrom(block), at })

/** Reads a block of the model other than a search. */
function outputPart(block: JsonObject, at: string, { seals, inputs }: ReadBounds): readonly OutputPart[] {
  switch (block.type) {
    case 'text':
      return textPart(block, at)
    case 'thinking':
      return [{ ...reasoningFrom(textOr(block.thinking), textOr(block.signature), seals, `${at}.signature`), at }]
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
          input: encodedInput(objectOr(block.input), at, inputs),
          ...cacheMark(block),
          at,
        },
      ]
    default:
      return [foreign(block, at)]
  }
}

function encodedInput(input: JsonObject, at: string, inputs: JsonAllowance): string {
  if (inputs.admits(jsonLength(input))) return JSON.stringify(input)
  throw invalidParameter(
    `${at}.input`,
    `The inputs of all calls must have at most ${MOST_CHARACTERS} characters with this model.`,
  )
}
