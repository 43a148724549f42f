import type { ChatCompletion, ChatCompletionChunk } from '../chat/chat-completion.ts'
import type { ChatCompletionRequest } from '../chat/chat-request.ts'
import type { JsonObject } from '../dialects/dialect.ts'
import type { Endpoint } from '../endpoints/endpoint.ts'
import type { GeneratedImages, ImageRequest } from '../images/image-request.ts'
import type { ModelFacts } from '../models/model-facts.ts'
import type { ProviderError } from './provider-error.ts'

/**
 * An upstream with models. Each method rejects with a `ProviderFailure` for a failure of the upstream. Any other
 * rejection is a fault of the provider.
 *
 * Providers do not retry, fall back or cache, because the gateway does.
 */
export interface Provider {
  /** The part of its model ids before the slash: `[a-z0-9][a-z0-9._-]*`. */
  readonly id: string
  /** Requests the list of models from the upstream on each call. After a rejection, the gateway keeps the last list. */
  models(context: Pick<ProviderContext, 'signal'>): Promise<readonly ProviderModel[]>
  /**
   * Absent where it does not speak chat completions. Requests of a dialect that the provider does not speak are translated
   * to one that it speaks: chat completions to responses before messages, responses to messages before chat completions,
   * messages to responses before chat completions. Those that the first one cannot carry are translated to the next one.
   */
  readonly chat?: ChatProvider
  /** Absent where it does not speak OpenAI's responses. */
  readonly responses?: DialectProvider
  /** Absent where it does not speak Anthropic's messages. */
  readonly messages?: DialectProvider
  /** Absent without image models. */
  readonly images?: ImageProvider
  /** Absent without realtime models. */
  readonly realtime?: RealtimeProvider
  /** Absent without further endpoints, such as embeddings. */
  readonly endpoints?: EndpointProvider
  /** What spans name the upstream by. @default its `id` alone */
  readonly server?: ProviderServer
  /** Closes the connections and ends the answers that still run. */
  close?(): Promise<void>
}

/** Where an upstream is, without credentials. */
export interface ProviderServer {
  /** The name of the vendor in OpenTelemetry's conventions for generative AI, such as `openai` or `anthropic`. */
  readonly name?: string
  /** The name of the host. */
  readonly address?: string
  readonly port?: number
}

/** The chat models of an upstream. Rejections other than a {@link ProviderFailure} are faults. */
export interface ChatProvider {
  /** Returns a complete answer. */
  complete(request: ProviderChatRequest, context: ProviderContext): Promise<ChatAnswer>
  /**
   * Returns a stream as soon as the upstream's status is known. The gateway itself waits for the first event, and can still
   * try another upstream if that is an error.
   */
  stream(request: ProviderChatRequest, context: ProviderContext): Promise<ChatStream>
  /**
   * `false` where the upstream refuses `stream_options`. Then `encode()` keeps the field as the client sent it.
   *
   * @default true: the gateway requests the usage of every stream, and removes it for clients that did not request it
   */
  readonly asksStreamUsage?: boolean
  /**
   * The name of the limit of output that the upstream certainly obeys. A limit for which money is reserved gets it.
   *
   * @default 'max_completion_tokens', and the name that the client uses
   */
  readonly outputLimit?: 'max_tokens' | 'max_completion_tokens'
  /** Replaced by `***` in an error within a complete answer that the gateway translates. @default none */
  readonly secrets?: readonly string[]
  /** What translated requests may use. Absent: the defaults of {@link TranslationTarget}. */
  translationTarget?(model: string): TranslationTarget
}

/** The models of an upstream in one dialect, as bytes. Rejections other than a {@link ProviderFailure} are faults. */
export interface DialectProvider {
  /** Returns a complete answer. */
  complete(request: ProviderDialectRequest, context: ProviderContext): Promise<DialectAnswer>
  /** Returns a stream as soon as the upstream's status is known, like {@link ChatProvider.stream}. */
  stream(request: ProviderDialectRequest, context: ProviderContext): Promise<DialectStream>
  /** Counts the input tokens of a request. Absent: the gateway estimates them. */
  countTokens?(request: ProviderDialectRequest, context: ProviderContext): Promise<DialectAnswer>
  /** Compacts the items of a request of responses. Absent: such requests are refused. */
  compact?(request: ProviderDialectRequest, context: ProviderContext): Promise<DialectAnswer>
  /** Replaced by `***` in an error within a complete answer that the gateway translates. @default none */
  readonly secrets?: readonly string[]
  /** What translated requests may use. Absent: the defaults of {@link TranslationTarget}. */
  translationTarget?(model: string): TranslationTarget
}

/** What a model of an upstream can take in requests that were translated from another dialect. */
export interface TranslationTarget {
  /**
   * Whether the upstream has custom tools. Otherwise a function with the parameter `input` replaces each. Messages have
   * none. @default true for responses, false for chat completions
   */
  readonly customTools?: boolean
  /** The limit of an answer in messages, which require one, for a request without a limit. @default 8192 */
  readonly defaultMaxTokens?: number
  /** How a model of messages reasons: within a budget of tokens, or as it decides. @default 'adaptive' */
  readonly reasoning?: 'adaptive' | 'budget'
  /** Whether marks of the prompt cache are added to messages where the client set none. @default false */
  readonly cacheBreakpoints?: boolean
}

/** The image models of an upstream. Rejections other than a {@link ProviderFailure} are faults. */
export interface ImageProvider {
  /** Returns at most `request.count` images. The gateway does not check the count. */
  generate(request: ImageRequest, context: ProviderContext): Promise<GeneratedImages>
}

/** The further endpoints of an upstream. Rejections other than a {@link ProviderFailure} are faults. */
export interface EndpointProvider {
  /** Whether requests of this endpoint may be sent to the upstream. */
  supports(endpoint: Endpoint): boolean
  /** `false` where the upstream refuses `stream_options`. @default true */
  readonly asksStreamUsage?: boolean
  /**
   * Returns a complete answer, or for a `streamed` request an answer whose body has not been read, as soon as the
   * upstream's status is known. Rejects for every status that is not 200 to 299.
   */
  send(request: ProviderEndpointRequest, context: ProviderContext): Promise<EndpointAnswer>
}

/** A request of an endpoint for one upstream. */
export interface ProviderEndpointRequest {
  readonly endpoint: Endpoint
  readonly method: 'GET' | 'POST' | 'DELETE'
  /** Follows the path of the endpoint: `/{id}/content`, a query, or nothing. Encoded. */
  readonly suffix: string
  /** The upstream's own model id, which the body names too. Absent for files and batches. */
  readonly model: string | undefined
  /** Absent without a body. */
  readonly body: EndpointBody | undefined
  /** The content type that the client accepts, such as `application/json`. */
  readonly accept: string
  /** Headers of the client that the upstream gets. Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** Whether the answer is relayed as it arrives. */
  readonly streamed: boolean
}

/** The body of a request of an endpoint. */
export interface EndpointBody {
  /** With the boundary of a multipart body. */
  readonly contentType: string
  /** A stream is read once. */
  readonly content: Uint8Array | AsyncIterable<Uint8Array>
  /** The value of a JSON body. */
  readonly value?: JsonObject
}

/** The answer of an endpoint. */
export type EndpointAnswer = UpstreamHeaders & { readonly contentType: string } & (
    | { readonly kind: 'whole'; readonly bytes: Uint8Array }
    /** Server-sent events where `contentType` is `text/event-stream`, otherwise any bytes. */
    | {
        readonly kind: 'stream'
        readonly start: (receiver: ByteReceiver) => ByteSource
        /** Replaced by `***` in the stream's error events. */
        readonly secrets?: readonly string[]
      }
  )

/** A model as its upstream lists it. */
export interface ProviderModel {
  /** The upstream's own id, without the provider's. */
  readonly id: string
  readonly kind: 'chat' | 'image' | 'embedding' | 'completion' | 'moderation' | 'audio' | 'rerank' | 'realtime'
  readonly ownedBy: string
  /** The upstream's own name of the model for people. @default unknown */
  readonly displayName?: string
  /** Seconds since 1970, or 0 where the upstream does not report it. */
  readonly created: number
  /** What the upstream reports of the model. Absent facts are unknown. */
  readonly facts?: ModelFacts
}

/** The context of one call of an upstream. */
export interface ProviderContext {
  /** The `x-request-id` of the response. */
  readonly requestId: string
  /** Aborts when the client disconnects or a timeout passes. The upstream call must then end immediately. */
  readonly signal: AbortSignal
  /** Headers for the upstream call, with the trace context. Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** The provider enforces this timeout. The gateway enforces all others. */
  readonly connectTimeoutMs: number
}

/** A chat request for one upstream. */
export interface ProviderChatRequest {
  /** The upstream's own model id, which replaces `body.model`. */
  readonly model: string
  /** The validated body of the client, unknown fields included. */
  readonly body: ChatCompletionRequest
  /**
   * Returns the body for an OpenAI-compatible upstream: the client's own bytes with the upstream's `model`, without the
   * gateway's `timeout`, and for streams with `stream_options.include_usage`.
   *
   * @param changes further top-level fields to set, or to remove where `undefined`
   */
  encode(changes?: Readonly<Record<string, unknown>>): Uint8Array
}

/** A request of one dialect for one upstream. */
export interface ProviderDialectRequest {
  /** The upstream's own model id, which replaces `body.model`. */
  readonly model: string
  /** The body of the client, or its translation. */
  readonly body: JsonObject
  /**
   * Headers of the client that the upstream gets: `anthropic-version`, `anthropic-beta`, and those that the host allows.
   * Names in lower case.
   */
  readonly headers: Readonly<Record<string, string>>
  /** Returns the body with the upstream's `model`, in the client's own bytes where nothing else changed. */
  encode(changes?: Readonly<Record<string, unknown>>): Uint8Array
}

/** A complete answer of one dialect, as the upstream encoded it. */
export interface DialectAnswer extends UpstreamHeaders {
  readonly bytes: Uint8Array
  /** Their parsed value. */
  readonly value: JsonObject
}

/** A streamed answer of one dialect. */
export type DialectStream = UpstreamHeaders &
  (
    | {
        readonly kind: 'encoded'
        readonly start: (receiver: ByteReceiver) => ByteSource
        /** Replaced by `***` in the stream's error events. */
        readonly secrets?: readonly string[]
      }
    /** The upstream sent a complete answer instead of a stream. The gateway makes a stream of it. */
    | { readonly kind: 'whole'; readonly value: JsonObject }
  )

/** A complete answer, typed or as the upstream encoded it. */
export type ChatAnswer = UpstreamHeaders &
  (
    | { readonly kind: 'completion'; readonly completion: ChatCompletion }
    /** JSON of a chat completion, relayed unchanged. `completion` is its parsed value, for usage records. */
    | { readonly kind: 'encoded'; readonly bytes: Uint8Array; readonly completion: Partial<ChatCompletion> }
  )

/** A streamed answer in one of three forms, with the headers of the upstream's response. */
export type ChatStream = UpstreamHeaders &
  /** Typed chunks. A stream that ends is complete, and a cut one must throw. `return` must end the upstream call. */
  (
    | { readonly kind: 'chunks'; readonly chunks: AsyncIterable<ChatCompletionChunk> }
    /** The bytes of an event stream in OpenAI's format, relayed unchanged. */
    | {
        readonly kind: 'encoded'
        readonly start: (receiver: ByteReceiver) => ByteSource
        /** Replaced by `***` in the stream's error events, because some upstreams repeat them there. */
        readonly secrets?: readonly string[]
      }
    /** The upstream sent a complete answer instead of a stream. The gateway makes a stream of it. */
    | { readonly kind: 'completion'; readonly completion: ChatCompletion }
  )

/** The headers of an answer. */
export interface UpstreamHeaders {
  /** The upstream's response headers, names in lower case. The gateway selects which ones the client gets. */
  readonly headers?: Readonly<Record<string, string>>
}

/**
 * Receives the bytes of an encoded stream in chunks of any size. No method is called after `end`, `failed` or
 * {@link ByteSource.cancel}. Calls during `start` are allowed.
 */
export interface ByteReceiver {
  /** Keeps a reference to the array, which must not change afterwards. @returns `false`: pause until {@link ByteSource.resume} */
  data(bytes: Uint8Array): boolean
  /** Reports the regular end of the response. The gateway checks whether the stream was complete. */
  end(): void
  /** Reports a failure, such as a lost connection. */
  failed(error: ProviderError): void
}

/** The source of an encoded stream, which the gateway controls. */
export interface ByteSource {
  /** Continues after `data` returned `false`. Has no effect otherwise. */
  resume(): void
  /** Ends the upstream call immediately and frees its connection. */
  cancel(): void
}

/** The realtime models of an upstream, which speak over a WebSocket. Rejections other than a `ProviderFailure` are faults. */
export interface RealtimeProvider {
  /**
   * Opens a session. Resolves once the upstream has accepted the WebSocket. When `context.signal` aborts, before or later,
   * the session ends immediately.
   */
  open(request: RealtimeSessionRequest, receiver: RealtimeReceiver, context: ProviderContext): Promise<RealtimeUpstream>
}

/** The session that a client requests. */
export interface RealtimeSessionRequest {
  /** The upstream's own model id. */
  readonly model: string
}

/** Receives what an upstream sends. No method is called after `closed`. Calls before `open` resolves are allowed. */
export interface RealtimeReceiver {
  /** Text as a string, binary as bytes. */
  message(message: string | Uint8Array): void
  /** `error` is absent where the upstream closed the session with a closing handshake. */
  closed(code: number, reason: string, error?: ProviderError): void
}

/** An open session of an upstream. */
export interface RealtimeUpstream {
  /** Queues a message. Ignored once closed. */
  send(message: string | Uint8Array): void
  /** Bytes that are queued and not yet sent. */
  readonly bufferedBytes: number
  /** Starts the closing handshake, and cuts the connection off where the upstream does not answer it. */
  close(): void
}
