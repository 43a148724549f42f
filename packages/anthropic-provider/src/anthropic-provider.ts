import {
  type ChatProvider,
  type Provider,
  type ProviderChatRequest,
  type ProviderContext,
  ProviderFailure,
} from '@trivium/gateway-core/ports'
import {
  answerBytes,
  answerKind,
  createUpstream,
  type Dispatcher,
  readJson,
  type Upstream,
  type UpstreamAnswer,
} from '@trivium/provider-kit'
import { isObject } from '@trivium/provider-kit/answers'
import { chatCompletion } from './answers/chat-completion.ts'
import { chunks } from './answers/chunks.ts'
import { errorFieldsOf } from './answers/refusal.ts'
import { listedModels } from './models.ts'
import { messagesRequest } from './requests/messages-request.ts'
import type { Reasoning } from './requests/reasoning.ts'

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
  /** Headers of every request, such as `anthropic-beta`. They override those of the provider. @default none */
  readonly headers?: Readonly<Record<string, string>>
  /** Ids of the offered models. @default those that the upstream lists */
  readonly models?: readonly string[]
  /** The limit for a request without one, because the Messages API requires it. @default 8192 */
  readonly defaultMaxTokens?: number
  /** How a `reasoning_effort` is sent. @default 'adaptive' */
  readonly reasoning?: Reasoning
  /** The most bytes of one answer, including streams. @default 128 MiB */
  readonly maxAnswerBytes?: number
  /** Sends the requests, such as a proxy agent or one that trusts a private authority. @default a pool of its own */
  readonly dispatcher?: Dispatcher
  /** The current time, for `created` and for a `retry-after` that is a date. @default the system's clock */
  readonly now?: () => Date
}

/**
 * Creates a provider for the Messages API. It translates requests, answers and streams, including tools, images,
 * documents and thinking. Parameters that the Messages API does not have and that would change the answer (`n`,
 * `logprobs`, `logit_bias`, audio, `json_object`) are refused. Hints (`seed`, penalties, `verbosity`) are dropped.
 * Other fields are passed on.
 *
 * The client gets thinking as `reasoning_content`, and with its signature in `thinking_blocks`. A client that sends the
 * message back with the results of tools must send these blocks unchanged.
 *
 * @throws TypeError if `baseUrl` is not an http or https URL
 *
 * @example
 * ```ts
 * import { anthropicProvider } from '@trivium/anthropic-provider'
 *
 * export const anthropic = anthropicProvider({ apiKey: 'sk-ant-…', defaultMaxTokens: 4096 })
 * ```
 */
export function anthropicProvider({
  id = 'anthropic',
  baseUrl = 'https://api.anthropic.com',
  apiKey,
  headers,
  models,
  defaultMaxTokens = 8192,
  reasoning = 'adaptive',
  maxAnswerBytes = 128 * 2 ** 20,
  dispatcher,
  now = () => new Date(),
}: AnthropicProviderOptions = {}): Provider {
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
    models: async (context) => fixed ?? listedModels(upstream, context),
    chat: chatOver(upstream, { defaultMaxTokens, reasoning, now }),
    close: () => upstream.close(),
  }
}

interface ChatOptions {
  readonly defaultMaxTokens: number
  readonly reasoning: Reasoning
  readonly now: () => Date
}

function chatOver(upstream: Upstream, { now, ...options }: ChatOptions): ChatProvider {
  const ask = ({ model, body }: ProviderChatRequest, context: ProviderContext, stream: boolean) =>
    upstream.ask(
      {
        path: '/v1/messages',
        body: JSON.stringify(messagesRequest(body, { ...options, model, stream })),
        accept: 'application/json, text/event-stream',
      },
      context,
    )
  const created = () => Math.floor(now().getTime() / 1000)
  const whole = async (answer: UpstreamAnswer) => {
    const message = await readJson(answer)
    if (isObject(message) && Array.isArray(message.content)) {
      return { kind: 'completion' as const, completion: chatCompletion(message, created()), headers: answer.headers }
    }
    throw new ProviderFailure({
      type: 'malformed',
      message: 'The upstream answered without a message.',
    })
  }

  return {
    complete: async (request, context) => whole(await ask(request, context, false)),
    stream: async (request, context) => {
      const answer = await ask(request, context, true)
      if ((await answerKind(answer)) !== 'events') return whole(answer)
      const includeUsage = request.body.stream_options?.include_usage === true
      const options = { created: created(), includeUsage, secrets: upstream.secrets }
      return { kind: 'chunks', chunks: chunks(answerBytes(answer), options), headers: answer.headers }
    },
  }
}
