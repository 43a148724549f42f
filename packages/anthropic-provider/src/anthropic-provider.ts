import { checkOptions, checkRange, type OptionNames, type Provider } from '@trivium/gateway-core/ports'
import { createUpstream, type Dispatcher, serverOf } from '@trivium/provider-kit'
import { errorFieldsOf } from './errors.ts'
import { messagesOver, type Reasoning } from './messages.ts'
import { listedModels } from './models.ts'

/** Options of {@link anthropicProvider}. Each has a default. */
export interface AnthropicProviderOptions {
  /** The prefix of its model ids. @default 'anthropic' */
  readonly id?: string
  /**
   * The URL without the version: `/v1/messages` is added. No other origin is called.
   *
   * @default 'https://api.anthropic.com'
   */
  readonly baseUrl?: string
  /** Sent as `x-api-key`. Removed from every message for clients. @default none is sent */
  readonly apiKey?: string
  /**
   * Headers of every request. They override those of the provider and of clients, except `anthropic-beta`, which has the
   * betas of the host and of the client. @default none
   */
  readonly headers?: Readonly<Record<string, string>>
  /** Ids of the offered models. @default those that the upstream lists */
  readonly models?: readonly string[]
  /** The limit for a request without one, because the Messages API requires it. At least 1. @default 8192 */
  readonly defaultMaxTokens?: number
  /**
   * How a `reasoning_effort` is sent: as `adaptive` thinking with an effort, or as a `budget` of tokens.
   *
   * @default by the id of the model: a budget until Claude 4.5, adaptive for later and unknown ones
   */
  readonly reasoning?: Reasoning
  /**
   * Whether requests of other dialects get marks of the prompt cache where the client set none: after the tools, after the
   * system prompt, and after the last two turns of the user. Writing to the cache costs more than reading without it.
   *
   * @default false
   */
  readonly cacheBreakpoints?: boolean
  /** The most bytes of one answer, including streams, at least 1. @default 128 MiB */
  readonly maxAnswerBytes?: number
  /** Sends the requests, such as a proxy agent or one that trusts a private authority. @default a pool of its own */
  readonly dispatcher?: Dispatcher
  /** The current time, for a `retry-after` that is a date. @default the system's clock */
  readonly now?: () => Date
}

const optionNames: OptionNames<AnthropicProviderOptions> = {
  id: true,
  baseUrl: true,
  apiKey: true,
  headers: true,
  models: true,
  defaultMaxTokens: true,
  reasoning: true,
  cacheBreakpoints: true,
  maxAnswerBytes: true,
  dispatcher: true,
  now: true,
}

/**
 * Creates a provider for the Messages API. Requests of that dialect pass as they came, with the betas of the client. The
 * gateway translates those of other dialects, including tools, images, documents, web search and thinking.
 *
 * @throws TypeError if an option does not exist, or `baseUrl` is not an http or https URL
 * @throws RangeError for an option that is out of its range
 *
 * @example
 * ```ts
 * import { anthropicProvider } from '@trivium/anthropic-provider'
 *
 * export const anthropic = anthropicProvider({ apiKey: 'sk-ant-…', defaultMaxTokens: 4096 })
 * ```
 */
export function anthropicProvider(options: AnthropicProviderOptions = {}): Provider {
  checkOptions('anthropicProvider', options, optionNames)
  const {
    id = 'anthropic',
    baseUrl = 'https://api.anthropic.com',
    apiKey,
    headers,
    models,
    defaultMaxTokens = 8192,
    reasoning,
    cacheBreakpoints = false,
    maxAnswerBytes = 128 * 2 ** 20,
    dispatcher,
    now = () => new Date(),
  } = options
  checkRange({ defaultMaxTokens }, 1, Number.MAX_SAFE_INTEGER)
  const upstream = createUpstream({
    baseUrl: baseUrl.replace(/\/+$/, '').replace(/\/v1$/, ''),
    headers: { 'anthropic-version': '2023-06-01', 'x-api-key': apiKey, ...headers },
    errorIn: errorFieldsOf,
    maxAnswerBytes,
    dispatcher,
    now,
  })
  const fixed = models?.map((model) => ({ id: model, kind: 'chat' as const, ownedBy: id, created: 0 }))
  return {
    id,
    server: serverOf(baseUrl),
    models: async (context) => fixed ?? listedModels(upstream, context),
    messages: messagesOver(upstream, { headers: headers ?? {}, defaultMaxTokens, reasoning, cacheBreakpoints }),
    close: () => upstream.close(),
  }
}
