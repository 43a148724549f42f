import {
  checkOptions,
  type Endpoint,
  type OptionNames,
  type Provider,
  type ProviderModel,
} from '@trivium/gateway-core/ports'
import { createUpstream, type Dispatcher, serverOf } from '@trivium/provider-kit'
import { chatOver } from './chat.ts'
import { allEndpoints, endpointsOver } from './endpoints.ts'
import { errorFieldsOf } from './error-fields.ts'
import { imageDownload } from './images/image-download.ts'
import { imagesOver } from './images/images.ts'
import { type ModelKind, modelKindByName, upstreamModels } from './models.ts'
import { realtimeOver } from './realtime.ts'
import { responsesOver } from './responses.ts'

/** Options of {@link openAiProvider}. Only `baseUrl` is required. */
export interface OpenAiProviderOptions {
  /** The prefix of its model ids. @default 'openai' */
  readonly id?: string
  /**
   * The URL including the version, such as `https://api.openai.com/v1`. No other origin is called, except
   * {@link imageOrigins}.
   */
  readonly baseUrl: string
  /** Sent as a bearer token. Removed from every message for clients. @default none is sent */
  readonly apiKey?: string
  /** Headers of every request, such as `openai-organization`. They override those of the provider. @default none */
  readonly headers?: Readonly<Record<string, string>>
  /** Ids of the offered models. @default those that the upstream lists */
  readonly models?: readonly string[]
  /** Returns the kind of a model by its id. Those of `models` without one are for chat. @default `modelKindByName` */
  readonly modelKind?: ModelKind
  /**
   * The endpoints that the upstream has, besides chat completions and images. Where several providers have `files` and
   * `batches`, requests have to name one of them.
   *
   * @default all
   */
  readonly endpoints?: readonly Endpoint[]
  /** Set it to `false` for an upstream that refuses `stream_options`. @default true */
  readonly asksStreamUsage?: boolean
  /**
   * The name of the limit of output that the upstream certainly obeys. Limits for which money is reserved get it, because
   * servers ignore names that they do not know. Where a model refuses the name, the other one is sent.
   *
   * @default 'max_completion_tokens' for `https://api.openai.com`, 'max_tokens' for others
   */
  readonly outputLimit?: 'max_tokens' | 'max_completion_tokens'
  /**
   * What the upstream speaks: `chat` is `/chat/completions`, and `responses` is `/responses`. Requests of another dialect
   * are translated.
   *
   * @default both for `https://api.openai.com`, `chat` for others
   */
  readonly dialects?: readonly ('chat' | 'responses')[]
  /**
   * Whether chat completions of the upstream have custom tools. Otherwise translated requests replace them by functions.
   *
   * @default true for `https://api.openai.com`, false for others
   */
  readonly customTools?: boolean
  /** Origins from which images are fetched if the upstream answers with their URLs. @default none */
  readonly imageOrigins?: readonly string[]
  /** The most bytes of one answer, including streams, at least 1. @default 128 MiB */
  readonly maxAnswerBytes?: number
  /** Sends the requests, such as a proxy agent or one that trusts a private authority. @default a pool of its own */
  readonly dispatcher?: Dispatcher
  /** The current time, for a `retry-after` that is a date. @default the system's clock */
  readonly now?: () => Date
}

const optionNames: OptionNames<OpenAiProviderOptions> = {
  id: true,
  baseUrl: true,
  apiKey: true,
  headers: true,
  models: true,
  modelKind: true,
  endpoints: true,
  asksStreamUsage: true,
  outputLimit: true,
  dialects: true,
  customTools: true,
  imageOrigins: true,
  maxAnswerBytes: true,
  dispatcher: true,
  now: true,
}

/**
 * Creates a provider for any server with OpenAI's API. Requests are sent as the client wrote them, and answers are
 * passed on unchanged. Compressed answers are refused, and redirects are not followed.
 *
 * If a model refuses `max_tokens` in favour of `max_completion_tokens`, or the reverse, the request is sent once more
 * with the other name.
 *
 * @throws TypeError if an option does not exist, `baseUrl` is not an http or https URL, an entry of `imageOrigins` is not a
 *   URL, `dialects` has another one or none, or `endpoints` another one
 * @throws RangeError for an option that is out of its range
 *
 * @example
 * ```ts
 * import { openAiProvider } from '@trivium/openai-provider'
 *
 * const ollama = openAiProvider({ id: 'ollama', baseUrl: 'http://127.0.0.1:11434/v1' })
 * ```
 */
export function openAiProvider(options: OpenAiProviderOptions): Provider {
  checkOptions('openAiProvider', options, optionNames)
  const {
    id = 'openai',
    baseUrl,
    apiKey,
    headers,
    models,
    modelKind = modelKindByName,
    asksStreamUsage = true,
    outputLimit = isOpenAi(baseUrl) ? 'max_completion_tokens' : 'max_tokens',
    dialects = isOpenAi(baseUrl) ? ['chat', 'responses'] : ['chat'],
    customTools = isOpenAi(baseUrl),
    endpoints = allEndpoints,
    imageOrigins = [],
    maxAnswerBytes = 128 * 2 ** 20,
    dispatcher,
    now = () => new Date(),
  } = options
  checkDialects(dialects)
  checkOutputLimit(outputLimit)
  checkEndpoints(endpoints)
  const sent = { authorization: apiKey === undefined ? undefined : `Bearer ${apiKey}`, ...headers }
  const upstream = createUpstream({
    baseUrl,
    headers: sent,
    errorIn: errorFieldsOf,
    maxAnswerBytes,
    dispatcher,
    now,
  })
  const download = imageDownload({ origins: imageOrigins, maxBytes: maxAnswerBytes })
  const fixed = models?.flatMap((model): readonly ProviderModel[] => {
    const kind = modelKind(model) ?? 'chat'
    return [{ id: model, kind, ownedBy: id, created: 0 }]
  })
  return {
    id,
    server: serverOf(baseUrl),
    models: async (context) => fixed ?? upstreamModels(upstream, modelKind, context),
    ...(dialects.includes('chat') && { chat: chatOver(upstream, { asksStreamUsage, customTools, outputLimit }) }),
    ...(dialects.includes('responses') && { responses: responsesOver(upstream) }),
    images: imagesOver(upstream, download),
    realtime: realtimeOver({ baseUrl, headers: sent, dispatcher }),
    endpoints: endpointsOver(upstream, { supported: new Set(endpoints), asksStreamUsage }),
    close: async () => {
      await Promise.all([upstream.close(), download.close()])
    },
  }
}

const isOpenAi = (baseUrl: string): boolean =>
  URL.canParse(baseUrl) && new URL(baseUrl).origin === 'https://api.openai.com'

function checkOutputLimit(name: unknown): void {
  if (name !== 'max_tokens' && name !== 'max_completion_tokens')
    throw new TypeError("'outputLimit' must be 'max_tokens' or 'max_completion_tokens'.")
}

function checkDialects(dialects: readonly unknown[]): void {
  if (dialects.length === 0) throw new TypeError("'dialects' must have at least one dialect")
  for (const dialect of dialects) {
    if (dialect !== 'chat' && dialect !== 'responses') throw new TypeError(`There is no dialect '${String(dialect)}'`)
  }
}

function checkEndpoints(endpoints: readonly Endpoint[]): void {
  const unknown = endpoints.find((endpoint) => !allEndpoints.includes(endpoint))
  if (unknown !== undefined) throw new TypeError(`There is no endpoint '${String(unknown)}'`)
}
