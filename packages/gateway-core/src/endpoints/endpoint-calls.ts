import type { ResultAsync } from 'neverthrow'
import type { GatewayCall } from '../caller.ts'
import type { SinkControl } from '../chat/streams/byte-sink.ts'
import type { ClientHeaders } from '../dialects/answering/forwarded-headers.ts'
import type { JsonObject } from '../dialects/dialect.ts'
import type { ModelCallError } from '../models/model-call-error.ts'
import type { ImageForm } from '../prices/rates.ts'
import type { EndpointBody, ProviderEndpointRequest } from '../providers/provider.ts'
import type { AnswerSink } from './byte-relay.ts'
import type { Endpoint } from './endpoint.ts'

/** Relays the endpoints of OpenAI's interface that are not translated, such as embeddings. */
export interface EndpointCalls {
  /**
   * Sends a request, with retries and fallbacks. Resolves with a whole answer, or where the request is streamed with an
   * answer whose first bytes have arrived.
   */
  send(call: GatewayCall, request: EndpointRequest): ResultAsync<EndpointReply, EndpointError>
}

/** A request of a client to an endpoint. */
export interface EndpointRequest {
  readonly endpoint: Endpoint
  /**
   * `provider/model`, or an alias. For files and batches, it names the provider.
   *
   * @default `defaultModels` of {@link EndpointsOptions}
   */
  readonly model?: string | undefined
  /** The provider of files and batches. @default the only one that supports them */
  readonly provider?: string | undefined
  /** @default 'POST' */
  readonly method?: ProviderEndpointRequest['method']
  /** @default nothing */
  readonly suffix?: string
  /** Returns the body with the upstream's own `model`. Called for each attempt. @default no body */
  readonly body?: (model: string | undefined, target: EndpointTarget) => EndpointBody
  /** Whether `body` can be called again. Asked after each failed attempt. @default always */
  readonly isRepeatable?: () => boolean
  /** The body of a JSON request. Of embeddings, its answer may be cached. @default no JSON, and no cache */
  readonly value?: JsonObject
  /** Headers of the client, of which the cache reads `cache-control`. Names in lower case. @default none */
  readonly clientHeaders?: ClientHeaders
  /** @default 'application/json' */
  readonly accept?: string
  /** Headers of the client that the upstream gets. Names in lower case. @default none */
  readonly headers?: Readonly<Record<string, string>>
  /** Whether the answer is relayed as it arrives. @default false */
  readonly streamed?: boolean
  /** Whether the body arrives while it is sent. Then no time is set for the first byte of the answer. @default false */
  readonly isUpload?: boolean
  /** The number of images in a streamed answer that is complete. @default 0 */
  readonly images?: number
  /** The number of answers in a streamed completion, each of which has to finish. @default 1 */
  readonly choices?: number
  /** Whether the chunk with the usage is removed from a streamed completion. @default false */
  readonly stripUsage?: boolean
  /** For all attempts together. @default `totalSeconds` of the gateway */
  readonly timeoutSeconds?: number | undefined
  /** Returns an estimate of the input tokens, for budgets and where the upstream reports none. @default 0 */
  readonly estimateInput?: () => number
  /** The client's fields, which may name its end user. @default no end user */
  readonly endUserIn?: Readonly<Record<string, unknown>>
  /** The client's fields with texts, for the request log. @default no texts */
  readonly texts?: JsonObject
  /** The characters that are spoken. @default 0 */
  readonly characters?: number
  /** The most tokens of their sound, which count where the upstream reports none. @default 0 */
  readonly soundTokens?: number
  /** How images are made. @default as the upstream decides */
  readonly imageForm?: ImageForm
  /** The most search units of reranking. @default 1 */
  readonly searchUnits?: number
  /** Limits the output to `outputTokens`, where the client has not. Called where money is reserved for it. */
  readonly holdOutput?: () => void
  /** Returns the field whose content has no bound. @default none */
  readonly unboundedField?: () => string | undefined
  /** The most output tokens, for budgets. @default 0 */
  readonly outputTokens?: number
}

/** What a body depends on besides its model. */
export interface EndpointTarget {
  /** Whether the upstream accepts `stream_options`. */
  readonly asksStreamUsage: boolean
  /** Whether each member may occur only once, as the gateway has read it. @default false */
  readonly isUnambiguous?: boolean
}

/** The answer of an endpoint. */
export type EndpointReply = {
  readonly provider: string
  /** The upstream's headers, names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly contentType: string
} & (
  | { readonly kind: 'whole'; readonly bytes: Uint8Array }
  | {
      readonly kind: 'stream'
      /** Sends the answer to the sink. May be called once. */
      readonly attach: (sink: AnswerSink) => SinkControl
      /** Ends a stream that was not attached. */
      readonly cancel: () => void
    }
)

/** Why a request to an endpoint failed. */
export type EndpointError =
  | ModelCallError
  /** The request names no model, and there is no default. */
  | { readonly type: 'endpoint-model-absent'; readonly endpoint: Endpoint }
  /** The request names a provider that does not exist or does not support the endpoint. */
  | { readonly type: 'provider-unsupported'; readonly provider: string; readonly endpoint: Endpoint }
  /** No provider, or more than one, supports the endpoint, and the request names none. */
  | { readonly type: 'provider-unnamed'; readonly endpoint: Endpoint; readonly providers: readonly string[] }

/** The default models of requests that name none. */
export interface EndpointsOptions {
  /**
   * Models of requests without one, by endpoint: `provider/model`, or an alias.
   *
   * @default for moderations the first moderation model by id, otherwise none
   */
  readonly defaultModels?: Readonly<Partial<Record<Endpoint, string>>>
}
