import {
  type ChatCompletion,
  type ChatProvider,
  type ProviderChatRequest,
  type ProviderContext,
  ProviderFailure,
} from '@trivium/gateway-core/ports'
import { answerKind, discard, isSuccess, readAnswer, type Upstream, type UpstreamAnswer } from '@trivium/provider-kit'
import { isObject, parseJson } from '@trivium/provider-kit/answers'
import { refusalIn } from './error-fields.ts'
import { acceptedTokenLimitName, renamedTokenLimit, type TokenLimitName } from './token-limit-name.ts'

/** The most models whose name of the token limit is remembered. */
const MAX_REMEMBERED = 1000

export interface ChatOptions {
  readonly asksStreamUsage: boolean
  readonly customTools: boolean
  readonly outputLimit: TokenLimitName
}

export function chatOver(upstream: Upstream, { asksStreamUsage, customTools, outputLimit }: ChatOptions): ChatProvider {
  const limitNames = new Map<string, TokenLimitName>()

  function ask(request: ProviderChatRequest, context: ProviderContext, accept: string): Promise<UpstreamAnswer> {
    const send = (changes?: Changes) =>
      upstream.call({ path: '/chat/completions', body: request.encode(changes), accept }, context)
    const remembered = renamedTokenLimit(request.body, limitNames.get(request.model))
    return send(remembered).then((answer) =>
      isSuccess(answer) ? answer : sendRenamed(request, answer, remembered, send),
    )
  }

  /** Sends a request again with the name of the token limit that the refusal suggests. */
  async function sendRenamed(
    { body, model }: ProviderChatRequest,
    answer: UpstreamAnswer,
    remembered: Changes | undefined,
    send: (changes: Changes) => Promise<UpstreamAnswer>,
  ): Promise<UpstreamAnswer> {
    const refused = await upstream.refusalOf(answer)
    const name = remembered ? undefined : acceptedTokenLimitName(body, refused)
    const changes = renamedTokenLimit(body, name)
    if (!name || !changes) throw upstream.failureOf(refused)
    const second = await send(changes)
    if (!isSuccess(second)) throw upstream.failureOf(await upstream.refusalOf(second))
    if (limitNames.size >= MAX_REMEMBERED) limitNames.clear()
    limitNames.set(model, name)
    return second
  }

  function whole({ headers }: UpstreamAnswer, bytes: Uint8Array) {
    const completion = parseJson(decoder.decode(bytes))
    if (isCompletion(completion)) return { kind: 'encoded' as const, bytes, completion, headers }
    throw refusalIn(completion, upstream) ?? noCompletion()
  }

  return {
    asksStreamUsage,
    outputLimit,
    secrets: upstream.secrets,
    translationTarget: () => ({ customTools }),
    complete: async (request, context) => {
      const answer = await ask(request, context, 'application/json')
      return whole(answer, await readAnswer(answer))
    },
    stream: async (request, context) => {
      const answer = await ask(request, context, 'text/event-stream')
      const kind = await answerKind(answer)
      if (kind === 'events') {
        return { kind: 'encoded', start: answer.start, headers: answer.headers, secrets: upstream.secrets }
      }
      if (kind === 'other') {
        discard(answer)
        throw noCompletion()
      }
      const { completion, headers } = whole(answer, await readAnswer(answer))
      return { kind: 'completion', completion, headers }
    },
  }
}

type Changes = Readonly<Record<string, unknown>>

const decoder = new TextDecoder()

/** Checks the fields that the gateway needs. The others are passed to the client unchecked. */
const isCompletion = (value: unknown): value is ChatCompletion =>
  isObject(value) &&
  Array.isArray(value.choices) &&
  value.choices.every((choice) => isObject(choice) && isObject(choice.message))

const noCompletion = () =>
  new ProviderFailure({ type: 'malformed', message: 'The upstream answered without a completion.' })
