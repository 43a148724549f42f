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
import { refusalWords } from './answers/refusal.ts'
import { listedModels } from './models.ts'
import { messagesRequest } from './requests/messages-request.ts'
import type { Reasoning } from './requests/reasoning.ts'

/** Which upstream is asked, and as whom. Every option has a default. */
export interface AnthropicProviderOptions {
  /** What its model ids begin with. @default 'anthropic' */
  readonly id?: string
  /** Without the version: `/v1/messages` is added. No other origin is ever called. @default 'https://api.anthropic.com' */
  readonly baseUrl?: string
  /** Sent as `x-api-key`. Never told to a client. @default none is sent */
  readonly apiKey?: string
  /** Of every request, as `anthropic-beta`; they replace the provider's own. */
  readonly headers?: Readonly<Record<string, string>>
  /** Ids to offer instead of asking the upstream. */
  readonly models?: readonly string[]
  /** The Messages API needs a limit; this one is sent where the client gives none. @default 8192 */
  readonly defaultMaxTokens?: number
  /** How a `reasoning_effort` is put. @default 'adaptive' */
  readonly reasoning?: Reasoning
  /** The most bytes of one answer, streams included. @default 128 MiB */
  readonly maxAnswerBytes?: number
  /** Sends the requests: a proxy agent, or one that trusts a private authority. @default a pool of its own */
  readonly dispatcher?: Dispatcher
  /** @default the system's clock */
  readonly now?: () => Date
}

/**
 * The Messages API as an upstream: requests, answers and streams are translated, tools, pictures, documents and
 * thinking included. What has no counterpart and would change the answer (`n`, `logprobs`, `logit_bias`, audio,
 * `json_object`) is refused; hints (`seed`, penalties, `verbosity`) are left out; fields that neither API knows
 * go through.
 *
 * Thinking reaches the client as `reasoning_content`, and signed in `thinking_blocks`: a client that sends the message
 * back with its tools' results sends it back untouched.
 *
 * @throws TypeError where `baseUrl` is no http(s) URL
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
    wordsIn: refusalWords,
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
      message: 'The upstream answered with something that is no message.',
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
