import { isTokenCount } from '../usage/token-count.ts'
import type { ChatCompletion, ChatUsage } from './chat-completion.ts'
import type { ChatCompletionRequest } from './chat-request.ts'
import { estimateInput, estimateTokens } from './estimate-tokens.ts'
import { isObject } from './is-object.ts'

/** The tokens of an answer, reported or estimated. */
export interface AnswerUsage {
  readonly inputTokens: number
  readonly outputTokens: number
  readonly estimated: boolean
}

/** Returns the usage of a complete answer, estimated where the provider reports none. */
export function usageOf(request: ChatCompletionRequest, completion: Partial<ChatCompletion>): AnswerUsage {
  return (
    reportedUsage(completion.usage) ?? {
      inputTokens: estimateInput(request),
      outputTokens: estimateTokens(JSON.stringify(messagesOf(completion))),
      estimated: true,
    }
  )
}

function messagesOf({ choices }: Partial<ChatCompletion>): readonly unknown[] {
  // A relayed answer is unchecked.
  const list: readonly unknown[] = Array.isArray(choices) ? choices : []
  return list.map((choice) => (isObject(choice) ? choice.message : undefined))
}

/** Returns the usage of a stream, complete or not. @param pieces the number of chunks with a part of the answer */
export function streamUsageOf(
  request: ChatCompletionRequest,
  usage: Partial<ChatUsage> | undefined,
  pieces: number,
): AnswerUsage {
  return reportedUsage(usage) ?? { inputTokens: estimateInput(request), outputTokens: pieces, estimated: true }
}

function reportedUsage(usage: unknown): AnswerUsage | undefined {
  if (!isObject(usage)) return undefined
  const { prompt_tokens: input, completion_tokens: output } = usage
  if (!isTokenCount(input) && !isTokenCount(output)) return undefined
  return {
    inputTokens: isTokenCount(input) ? input : 0,
    outputTokens: isTokenCount(output) ? output : 0,
    estimated: false,
  }
}
