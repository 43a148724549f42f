import type { ChatCompletionRequest } from '../../chat/chat-request.ts'
import { asksForUsage, UpstreamRequest } from '../../chat/requests/upstream-request.ts'
import { chunksOf, encodeChunks } from '../../chat/streams/encode-chunks.ts'
import { isTooDeep } from '../../nesting.ts'
import type {
  ByteReceiver,
  ByteSource,
  ChatAnswer,
  DialectAnswer,
  ProviderContext,
  UpstreamHeaders,
} from '../../providers/provider.ts'
import { ProviderFailure } from '../../providers/provider-error.ts'
import { absentDefaults } from '../../upstream-rules/checked-parameters.ts'
import type { JsonObject } from '../dialect.ts'
import { DialectRequest } from '../requests/dialect-request.ts'
import { encodeBody, withoutByteOrderMark } from '../requests/encode-body.ts'
import type { UpstreamService } from './upstream-service.ts'

/** A request in the dialect of an upstream. */
export interface UpstreamBody {
  /** The upstream's own model id. */
  readonly model: string
  readonly body: JsonObject
  /** The bytes that `body` was parsed from. */
  readonly raw: Uint8Array | undefined
  /** Headers of the client that the upstream gets. */
  readonly headers: Readonly<Record<string, string>>
  /** Whether the limit of output has to hold. */
  readonly isBound: boolean
}

/** A complete answer in the dialect of an upstream. */
export type UpstreamWhole =
  | { readonly dialect: 'chat'; readonly answer: ChatAnswer }
  | { readonly dialect: 'responses' | 'messages'; readonly answer: DialectAnswer }

/** A streamed answer in the dialect of an upstream. */
export type UpstreamStream = Required<UpstreamHeaders> & {
  /** Replaced by `***` in errors of the answer. */
  readonly secrets: readonly string[]
} & (
    | {
        readonly kind: 'events'
        readonly start: (receiver: ByteReceiver) => ByteSource
        /** Whether the gateway requested the usage, which its client perhaps has not. */
        readonly addsUsage: boolean
      }
    /** A complete answer instead of a stream. */
    | { readonly kind: 'whole'; readonly value: JsonObject }
  )

/**
 * Requests a complete answer.
 *
 * @throws ProviderFailure for one that is nested too deeply to be counted and stored
 */
export async function completeAt(
  service: UpstreamService,
  request: UpstreamBody,
  context: ProviderContext,
): Promise<UpstreamWhole> {
  const { dialect, provider } = service
  const whole: UpstreamWhole =
    dialect === 'chat'
      ? { dialect, answer: await provider.complete(chatRequest(request, service, false), context) }
      : { dialect, answer: await provider.complete(dialectRequest(request, service), context) }
  service.answered(whole.answer.headers)
  if (isTooDeep(parsedOf(whole))) throw new ProviderFailure({ type: 'malformed', message: NESTED })
  return whole
}

/** Returns the parsed value of an answer. */
export const parsedOf = (whole: UpstreamWhole): JsonObject =>
  whole.dialect === 'chat' ? whole.answer.completion : whole.answer.value

const NESTED = 'The answer of the upstream is nested too deeply.'

/** Requests a stream. */
export async function streamAt(
  service: UpstreamService,
  request: UpstreamBody,
  context: ProviderContext,
): Promise<UpstreamStream> {
  if (service.dialect === 'chat') return streamOfChat(service, request, context)
  const stream = await service.provider.stream(dialectRequest(request, service), context)
  const { headers = {} } = stream
  service.answered(headers)
  if (stream.kind === 'whole') {
    return { kind: 'whole', value: stream.value, headers, secrets: service.provider.secrets ?? [] }
  }
  return { kind: 'events', start: stream.start, secrets: stream.secrets ?? [], headers, addsUsage: false }
}

async function streamOfChat(
  service: Extract<UpstreamService, { dialect: 'chat' }>,
  upstream: UpstreamBody,
  context: ProviderContext,
): Promise<UpstreamStream> {
  const { provider } = service
  const asksUsage = provider.asksStreamUsage ?? true
  const request = chatRequest(upstream, service, asksUsage)
  const stream = await provider.stream(request, context)
  const { headers = {} } = stream
  service.answered(headers)
  if (stream.kind === 'encoded') {
    return { kind: 'events', start: stream.start, secrets: stream.secrets ?? [], headers, addsUsage: asksUsage }
  }
  // Typed streams always report their usage.
  const chunks = stream.kind === 'chunks' ? stream.chunks : chunksOf(stream.completion, asksForUsage(request.body))
  return { kind: 'events', start: encodeChunks(chunks), secrets: [], headers, addsUsage: true }
}

function chatRequest(
  { model, body, raw, isBound }: UpstreamBody,
  service: Extract<UpstreamService, { dialect: 'chat' }>,
  asksUsage: boolean,
): UpstreamRequest {
  const added = addedTo(body, service)
  const changes = isBound && service.provider.outputLimit === 'max_tokens' ? obeyedLimit(body) : undefined
  if (!changes) return new UpstreamRequest(model, chatBody(body), raw, { asksUsage, added })
  const { max_completion_tokens: _, ...others } = body
  const bytes = raw && encodeBody(body, withoutByteOrderMark(raw), new Map(Object.entries(changes)))
  return new UpstreamRequest(model, chatBody({ ...others, ...changes }), bytes, { asksUsage, added })
}

/** Renames a limit that the upstream may ignore. `undefined` where it has the other name, too. */
const obeyedLimit = ({ max_tokens: old, max_completion_tokens: limit }: JsonObject): JsonObject | undefined =>
  typeof limit === 'number' && typeof old !== 'number'
    ? { max_completion_tokens: undefined, max_tokens: limit }
    : undefined

const dialectRequest = ({ model, body, raw, headers }: UpstreamBody, service: UpstreamService) =>
  new DialectRequest(model, body, raw, headers, addedTo(body, service))

/** Returns the defaults of the model that the body does not have. */
const addedTo = (body: JsonObject, { defaults }: UpstreamService): JsonObject | undefined =>
  defaults && absentDefaults(body, defaults)

/** Bodies of clients are checked, and translations write what the type requires. */
function chatBody(body: JsonObject): ChatCompletionRequest {
  if (!isChatBody(body)) throw new TypeError('The body is not a chat request.')
  return body
}

const isChatBody = (body: JsonObject): body is ChatCompletionRequest =>
  typeof body.model === 'string' && Array.isArray(body.messages)
