import type { ChatCompletion, ChatCompletionChunk } from '../chat/chat-completion.ts'
import type { ChatCompletionRequest } from '../chat/chat-request.ts'
import type { GeneratedImages, ImageRequest } from '../images/image-request.ts'
import type { ProviderError } from './provider-error.ts'

/**
 * An upstream that answers. Every method rejects with a `ProviderFailure` for what an upstream may do wrong;
 * any other rejection is a fault of the provider.
 *
 * Providers neither retry nor fall back nor cache: the registry does.
 */
export interface Provider {
  /** What its model ids begin with, before the slash: `[a-z0-9][a-z0-9._-]*`. */
  readonly id: string
  /** Asks the upstream what it has, every time. */
  models(context: Pick<ProviderContext, 'signal'>): Promise<readonly ProviderModel[]>
  /** Absent where it has no chat models. */
  readonly chat?: ChatProvider
  /** Absent where it has no image models. */
  readonly images?: ImageProvider
  /** Frees connections. Answers that still run are cut. */
  close?(): Promise<void>
}

/** The chat side of an upstream. It rejects with a {@link ProviderFailure}; anything else is a fault. */
export interface ChatProvider {
  /** Answers as a whole. */
  complete(request: ProviderChatRequest, context: ProviderContext): Promise<ChatAnswer>
  /**
   * Answers piece by piece. Settles as soon as the upstream's status is known; the gateway itself waits for the first
   * event, and may still go elsewhere when that is an error.
   */
  stream(request: ProviderChatRequest, context: ProviderContext): Promise<ChatStream>
  /**
   * `false` where the upstream refuses `stream_options`: then `encode()` leaves the field as the client sent it.
   *
   * @default true: usage is asked of every stream, and taken out again for clients that did not ask
   */
  readonly asksStreamUsage?: boolean
}

/** The image side of an upstream. It rejects with a {@link ProviderFailure}; anything else is a fault. */
export interface ImageProvider {
  generate(request: ImageRequest, context: ProviderContext): Promise<GeneratedImages>
}

/** A model as its upstream lists it. */
export interface ProviderModel {
  /** The upstream's own id, without the provider's. */
  readonly id: string
  readonly kind: 'chat' | 'image'
  readonly ownedBy: string
  /** Seconds since 1970; 0 where the upstream does not tell. */
  readonly created: number
}

/** What surrounds one call of an upstream. */
export interface ProviderContext {
  /** Also what the client sees as `x-request-id`. */
  readonly requestId: string
  /** Aborts when the client has left or a timeout has passed: the upstream call must end at once. */
  readonly signal: AbortSignal
  /** For the upstream call: the trace context. Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** The connect timeout is the provider's to keep; the gateway itself watches over all the others. */
  readonly connectTimeoutMs: number
}

/** A chat request as one upstream gets it. */
export interface ProviderChatRequest {
  /** The upstream's own model id: it replaces `body.model`. */
  readonly model: string
  /** As the client sent it and the gateway checked it, unknown fields included. */
  readonly body: ChatCompletionRequest
  /**
   * The body to send to an OpenAI-compatible upstream: the client's own bytes with nothing changed but `model`,
   * without the gateway's `timeout`, and for streams with `stream_options.include_usage`.
   *
   * @param changes top-level fields to set besides, or to leave out where `undefined`
   */
  encode(changes?: Readonly<Record<string, unknown>>): Uint8Array
}

/** A whole answer: typed, or as the upstream encoded it. */
export type ChatAnswer = UpstreamHeaders &
  (
    | { readonly kind: 'completion'; readonly completion: ChatCompletion }
    /** JSON of a chat completion, relayed untouched; `completion` is what it says, for the gateway's books. */
    | { readonly kind: 'encoded'; readonly bytes: Uint8Array; readonly completion: Partial<ChatCompletion> }
  )

/** An answer piece by piece, in one of three forms, with the headers of the upstream's reply. */
export type ChatStream = UpstreamHeaders &
  /** Typed chunks. Ending is completeness; a cut stream must throw. Returning early must end the upstream call. */
  (
    | { readonly kind: 'chunks'; readonly chunks: AsyncIterable<ChatCompletionChunk> }
    /** An event stream in OpenAI's format as bytes, relayed untouched. */
    | {
        readonly kind: 'encoded'
        readonly start: (receiver: ByteReceiver) => ByteSource
        /** Taken out of the stream's error events, in which upstreams repeat them. */
        readonly secrets?: readonly string[]
      }
    /** The upstream answered as a whole although a stream was asked for: the gateway makes one of it. */
    | { readonly kind: 'completion'; readonly completion: ChatCompletion }
  )

/** What every answer has beside its content. */
export interface UpstreamHeaders {
  /** The upstream's response headers, names in lower case; the gateway chooses which ones the client gets. */
  readonly headers?: Readonly<Record<string, string>>
}

/**
 * Where an encoded stream's bytes go, as they come and however they are cut. Nothing is called after `end` or
 * `failed`, or after {@link ByteSource.cancel}. Calls from inside `start` are allowed.
 */
export interface ByteReceiver {
  /** Keeps the array: it must not be written to again. @returns `false`: pause until {@link ByteSource.resume} */
  data(bytes: Uint8Array): boolean
  /** The upstream ended its answer properly. The gateway finds out whether the stream was complete. */
  end(): void
  failed(error: ProviderError): void
}

/** The upstream's end of a stream of bytes, as the gateway steers it. */
export interface ByteSource {
  /** Takes the flow up again after `data` answered `false`; may be called without need. */
  resume(): void
  /** Ends the upstream call at once and frees its connection. */
  cancel(): void
}
