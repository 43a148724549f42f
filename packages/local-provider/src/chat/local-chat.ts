import {
  type ChatCompletion,
  type ChatCompletionRequest,
  type ChatProvider,
  type ChatUsage,
  type ProviderChatRequest,
  ProviderFailure,
} from '@trivium/gateway-core/ports'
import { type ComposedReply, composeReply } from './compose-reply.ts'
import { textsOf } from './conversation.ts'
import type { LocalChatModel } from './local-chat-model.ts'
import { pause } from './pause.ts'
import { type AnswerHead, streamReplies } from './stream-replies.ts'
import { countAllTokens } from './tokens.ts'

/** Options of the chat models. Each has a default. */
export interface LocalChatOptions {
  /** The delay before each token, in milliseconds. @default 0 */
  readonly tokenDelayMs?: number
  /** Waits for a time, or rejects when the signal aborts. @default a timer */
  readonly sleep?: (milliseconds: number, signal: AbortSignal) => Promise<void>
  /** The current time, for `created`. @default the system's clock */
  readonly now?: () => Date
  /** Creates ids for answers, after `chatcmpl-`. @default random UUIDs */
  readonly newId?: () => string
}

export interface LocalChat extends ChatProvider {
  readonly modelIds: readonly string[]
}

/** The number of chunks of a stream without delays after which other requests run. */
const CHUNKS_AT_ONCE = 200

export function createLocalChat(
  models: readonly LocalChatModel[],
  { tokenDelayMs = 0, sleep = pause, now = () => new Date(), newId = () => crypto.randomUUID() }: LocalChatOptions,
): LocalChat {
  const modelsById = new Map(models.map((model) => [model.id, model]))

  const answer = async ({ model: id, body }: ProviderChatRequest, signal: AbortSignal) => {
    const model = modelsById.get(id)
    if (!model) {
      throw new ProviderFailure({
        type: 'refused',
        status: 404,
        code: 'model_not_found',
        param: 'model',
        message: `The model '${id}' does not exist.`,
      })
    }
    const replies = [composeReply(model, body, 0)]
    for (let choice = 1; choice < (body.n ?? 1); choice += 1) {
      // Each choice may take as long as a whole request.
      await pause(0, signal).catch(cancelled)
      replies.push(composeReply(model, body, choice))
    }
    const head: AnswerHead = { id: `chatcmpl-${newId()}`, created: Math.floor(now().getTime() / 1000), model: id }
    return { head, replies, usage: usageOf(body, replies) }
  }

  return {
    modelIds: models.map(({ id }) => id),

    async complete(request, { signal }) {
      const { head, replies, usage } = await answer(request, signal)
      if (tokenDelayMs > 0) await sleep(tokenDelayMs * usage.completion_tokens, signal).catch(cancelled)
      if (signal.aborted) cancelled()
      return { kind: 'completion', completion: toCompletion(head, replies, usage) }
    },

    async stream(request, { signal }) {
      const { head, replies, usage } = await answer(request, signal)
      let chunks = 0
      const wait = async () => {
        chunks += 1
        if (tokenDelayMs > 0) await sleep(tokenDelayMs, signal).catch(cancelled)
        else if (chunks % CHUNKS_AT_ONCE === 0) await pause(0, signal).catch(cancelled)
        if (signal.aborted) cancelled()
      }
      const includeUsage = request.body.stream_options?.include_usage === true
      return { kind: 'chunks', chunks: streamReplies(head, replies, usage, wait, includeUsage) }
    },
  }
}

function cancelled(): never {
  throw new ProviderFailure({ type: 'cancelled', message: 'The request was cancelled.' })
}

function usageOf({ messages }: ChatCompletionRequest, replies: readonly ComposedReply[]): ChatUsage {
  const prompt = countAllTokens(messages.flatMap(textsOf))
  const completion = replies.reduce((sum, { tokenCount }) => sum + tokenCount, 0)
  return { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion }
}

const toCompletion = (head: AnswerHead, replies: readonly ComposedReply[], usage: ChatUsage): ChatCompletion => ({
  ...head,
  object: 'chat.completion',
  choices: replies.map(({ tokens, toolCalls, finishReason }, index) => ({
    index,
    message: {
      role: 'assistant',
      content: toolCalls.length > 0 ? null : tokens.join(''),
      refusal: null,
      ...(toolCalls.length > 0 ? { tool_calls: toolCalls } : {}),
    },
    logprobs: null,
    finish_reason: finishReason,
  })),
  usage,
})
