import { invalidParameter, unsupportedParameter } from '../../providers/refused-parameter.ts'
import type { CallArguments } from '../call-arguments.ts'
import type {
  FilePart,
  ImagePart,
  InputPart,
  OutputPart,
  ReasoningPart,
  SearchCallPart,
  TextPart,
  ToolCallPart,
} from '../conversation/conversation-parts.ts'
import type { ConversationRequest, ToolResult } from '../conversation/conversation-request.ts'
import { reasoningName } from '../conversation/reasoning-name.ts'
import type { JsonObject } from '../dialect.ts'
import { objectOr } from '../json-values.ts'
import type { CallIds } from './call-ids.ts'
import { citationOf } from './citations.ts'
import { given } from './fields.ts'
import { documentOf, documentTypeOf, imageOf, imageTypeOf } from './media.ts'
import type { Omissions } from './omissions.ts'
import { isReadable, searchId, searchResultOf } from './searches.ts'
import { isForeignSignature } from './signatures.ts'
import type { ToolNames } from './tool-names.ts'

/** What the parts of a request are written with. */
export interface BlockContext {
  readonly request: ConversationRequest
  readonly names: ToolNames
  readonly omitted: Omissions
  readonly callArguments: CallArguments
  readonly callIds: CallIds
}

/** Writes a part of a user or of a tool. Empty texts are left out, because Anthropic refuses them. */
export function inputBlocks(part: InputPart, context: BlockContext): readonly JsonObject[] {
  switch (part.type) {
    case 'text':
      return textBlocks(part, context)
    case 'image':
      // Anthropic has one resolution of images.
      if (part.detail !== undefined && part.detail !== 'auto') context.omitted.add('detail')
      return [imageOf(acceptable(part, imageTypeOf, context))]
    case 'file':
      return [documentOf(acceptable(part, documentTypeOf, context))]
    case 'audio':
      throw unsupportedParameter(placeOf(part, context), 'This model does not accept audio.')
    case 'foreign':
      if (part.dialect === 'messages') return [objectOr(part.value)]
      throw unsupportedParameter(placeOf(part, context), `This model does not accept content of type '${part.name}'.`)
  }
}

/** @throws ProviderFailure for a file of another provider, and bytes of a type that Anthropic does not take */
function acceptable<Part extends ImagePart | FilePart>(
  part: Part,
  typeOf: (mediaType: string) => string | undefined,
  context: BlockContext,
): Part {
  const { source } = part
  if (source.type === 'base64') {
    const mediaType = typeOf(source.mediaType)
    if (mediaType !== undefined) return { ...part, source: { ...source, mediaType } }
    const name = source.mediaType.slice(0, 128)
    throw unsupportedParameter(placeOf(part, context), `This model does not accept a file of type '${name}'.`)
  }
  if (source.type !== 'file-id' || context.request.dialect === 'messages') return part
  throw unsupportedParameter(placeOf(part, context), 'This model does not know the files of another provider.')
}

const placeOf = ({ at }: { readonly at?: string }, { request }: BlockContext): string =>
  at ?? request.names.turns ?? 'messages'

export function textBlocks(
  { text, annotations = [], cacheControl }: TextPart,
  { omitted }: BlockContext,
): readonly JsonObject[] {
  if (text === '') return []
  const citations = annotations.filter(({ encryptedIndex }) => encryptedIndex !== undefined)
  if (citations.length < annotations.length) omitted.add('annotations')
  return [
    {
      type: 'text',
      text,
      ...(citations.length > 0 ? { citations: citations.map(citationOf) } : {}),
      ...given('cache_control', cacheControl),
    },
  ]
}

/** Writes a part of the model. */
export function outputBlocks(part: OutputPart, context: BlockContext): readonly JsonObject[] {
  switch (part.type) {
    case 'text':
      return textBlocks(part, context)
    case 'refusal':
      return part.text === '' ? [] : [{ type: 'text', text: part.text }]
    case 'reasoning':
      return reasoningBlocks(part, context)
    case 'tool-call':
      return [callBlock(part, context)]
    case 'search-call':
      return searchBlocks(part, context)
    case 'image':
      throw unsupportedParameter(placeOf(part, context), 'This model does not accept images of an assistant.')
    case 'foreign':
      return inputBlocks(part, context)
  }
}

/** Only Anthropic's own reasoning is sent back, because it verifies the signatures. */
function reasoningBlocks(part: ReasoningPart, { omitted, request }: BlockContext): readonly JsonObject[] {
  if (part.redacted !== undefined) return [{ type: 'redacted_thinking', data: part.redacted }]
  if (!isForeignSignature(part.signature)) {
    return [{ type: 'thinking', thinking: part.text, signature: part.signature }]
  }
  omitted.add(reasoningName(request.dialect, part))
  return []
}

function callBlock(part: ToolCallPart, context: BlockContext): JsonObject {
  return {
    type: 'tool_use',
    id: context.callIds.encoded(part.callId),
    name: context.names.nameOf(part),
    input: part.kind === 'custom' ? { input: part.input } : argumentsOf(part, context),
    ...given('cache_control', part.cacheControl),
  }
}

function argumentsOf(part: ToolCallPart, context: BlockContext): JsonObject {
  const input = context.callArguments.parse(part.input)
  if (input.isOk()) return input.value
  const member = context.request.dialect === 'chat' ? 'function.arguments' : 'arguments'
  throw invalidParameter(`${placeOf(part, context)}.${member}`, input.error)
}

function searchBlocks(part: SearchCallPart, { omitted, request }: BlockContext): readonly JsonObject[] {
  const result = searchResultOf(part)
  if (!result || !isReadable(part)) {
    omitted.add(request.dialect === 'responses' ? 'web_search_call' : 'web_search')
    return []
  }
  return [{ type: 'server_tool_use', id: searchId(part.id), name: 'web_search', input: { query: part.query } }, result]
}

/** Writes the result of a tool. */
export function resultBlock(result: ToolResult, context: BlockContext): JsonObject {
  const content = result.content.flatMap((part) => inputBlocks(part, context))
  return {
    type: 'tool_result',
    tool_use_id: context.callIds.encoded(result.callId),
    ...(content.length === 0 ? {} : { content: plain(content) }),
    ...(result.isError ? { is_error: true } : {}),
    ...given('cache_control', result.cacheControl),
  }
}

/** Writes a single text without marks as a text. */
export function plain(blocks: readonly JsonObject[]): string | readonly JsonObject[] {
  const [only, ...more] = blocks
  if (only?.type !== 'text' || more.length > 0 || typeof only.text !== 'string') return blocks
  return only.cache_control === undefined && only.citations === undefined ? only.text : blocks
}
