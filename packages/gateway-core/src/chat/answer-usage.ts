import type { JsonObject } from '../dialects/dialect.ts'
import { isTokenCount } from '../usage/token-count.ts'
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
export function usageOf(request: ChatCompletionRequest, completion: JsonObject): AnswerUsage {
  return (
    reportedUsage(completion.usage) ?? {
      inputTokens: estimateInput(request),
      outputTokens: estimateTokens(JSON.stringify(messagesOf(completion))),
      estimated: true,
    }
  )
}

function messagesOf({ choices }: JsonObject): readonly unknown[] {
  // A relayed answer is unchecked.
  const list: readonly unknown[] = Array.isArray(choices) ? choices : []
  return list.map((choice) => (isObject(choice) ? choice.message : undefined))
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
