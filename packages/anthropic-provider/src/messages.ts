import {
  type DialectAnswer,
  type DialectProvider,
  type ProviderContext,
  type ProviderDialectRequest,
  ProviderFailure,
  reasoningOf,
  withoutForeignThinking,
} from '@trivium/gateway-core/ports'
import { answerKind, discard, readAnswer, type Upstream, type UpstreamAnswer } from '@trivium/provider-kit'
import { isObject, type JsonObject, parseJson } from '@trivium/provider-kit/answers'
import { requestHeadersWith } from './request-headers.ts'

/** How a model reasons: within a budget of tokens, or as it decides. */
export type Reasoning = 'adaptive' | 'budget'

export interface MessagesOptions {
  /** The host's own headers of every request. */
  readonly headers: Readonly<Record<string, string>>
  readonly defaultMaxTokens: number
  readonly reasoning: Reasoning | undefined
  readonly cacheBreakpoints: boolean
}

/** Speaks the Messages API, in the bytes of the client or of the gateway's translation. */
export function messagesOver(upstream: Upstream, { headers, reasoning, ...target }: MessagesOptions): DialectProvider {
  const headersFor = requestHeadersWith(headers)
  const post = (
    path: `/${string}`,
    request: ProviderDialectRequest,
    context: ProviderContext,
    changes: Readonly<Record<string, unknown>> = {},
  ) =>
    upstream.ask(
      {
        path,
        body: request.encode({ ...changes, ...foreignThinking(request.body) }),
        accept: 'application/json, text/event-stream',
        headers: headersFor(request.headers),
      },
      context,
    )
  const ask = (request: ProviderDialectRequest, context: ProviderContext) => post('/v1/messages', request, context)

  return {
    secrets: upstream.secrets,
    complete: async (request, context) => message(await ask(request, context)),
    stream: async (request, context) => {
      const answer = await ask(request, context)
      const kind = await answerKind(answer)
      if (kind === 'events') {
        return { kind: 'encoded', start: answer.start, secrets: upstream.secrets, headers: answer.headers }
      }
      if (kind === 'other') {
        discard(answer)
        throw noMessage()
      }
      const { value } = await message(answer)
      return { kind: 'whole', value, headers: answer.headers }
    },
    countTokens: async (request, context) => {
      const answer = await post('/v1/messages/count_tokens', request, context, unsetFields(request.body))
      const counted = await read(answer)
      if (typeof counted?.value.input_tokens === 'number') return counted
      throw new ProviderFailure({ type: 'malformed', message: 'The upstream answered without a count of tokens.' })
    },
    translationTarget: (model) => ({ ...target, reasoning: reasoning ?? reasoningOf(model) }),
  }
}

async function message(answer: UpstreamAnswer): Promise<DialectAnswer> {
  const found = await read(answer)
  if (found && Array.isArray(found.value.content)) return found
  throw noMessage()
}

async function read(answer: UpstreamAnswer): Promise<DialectAnswer | undefined> {
  const bytes = await readAnswer(answer)
  const value = parseJson(decoder.decode(bytes))
  return isObject(value) ? { bytes, value, headers: answer.headers } : undefined
}

const decoder = new TextDecoder()

const noMessage = (): ProviderFailure =>
  new ProviderFailure({ type: 'malformed', message: 'The upstream answered without a message.' })

/** Thinking of other upstreams, which answered earlier turns of the conversation, is not sent. */
function foreignThinking(body: JsonObject): Readonly<Record<string, unknown>> {
  const messages = withoutForeignThinking(body.messages)
  return messages ? { messages } : {}
}

/** Fields about the answer, which the count of a prompt does not have. */
const answerFields = [
  'max_tokens',
  'stream',
  'temperature',
  'top_p',
  'top_k',
  'stop_sequences',
  'metadata',
  'service_tier',
]

const unsetFields = (body: JsonObject): Readonly<Record<string, undefined>> =>
  Object.fromEntries(answerFields.filter((name) => name in body).map((name) => [name, undefined]))
