import type { JsonObject } from '../dialects/dialect.ts'
import { plausibleCounts } from '../usage/plausible-counts.ts'
import { readDetail, serviceTierIn } from '../usage/read-detail.ts'
import type { PricedDetail } from '../usage/usage-detail.ts'
import type { ChatCompletionRequest } from './chat-request.ts'
import { estimateInput, estimateJson } from './estimate-tokens.ts'
import { isObject } from './is-object.ts'

/** The tokens of an answer, reported or estimated. */
export interface AnswerUsage extends PricedDetail {
  readonly inputTokens: number
  readonly outputTokens: number
  readonly estimated: boolean
}

/** Returns the usage of a complete answer, estimated as far as the provider reports no plausible one. */
export function usageOf(request: ChatCompletionRequest, completion: JsonObject): AnswerUsage {
  const usage = isObject(completion.usage) ? completion.usage : {}
  const messages = messagesOf(completion)
  const counts = plausibleCounts(
    { input: usage.prompt_tokens, output: usage.completion_tokens },
    {
      isWritten: messages.some(isWritten),
      estimateInput: () => estimateInput(request),
      estimateOutput: () => estimateJson(messages),
    },
  )
  return { ...counts, ...readDetail(usage), ...serviceTierIn(completion) }
}

/** Whether a message has more than its role. */
const isWritten = (message: unknown): boolean =>
  isObject(message) && Object.entries(message).some(([name, value]) => name !== 'role' && isFilled(value))

const isFilled = (value: unknown): boolean =>
  typeof value === 'string' || Array.isArray(value) ? value.length > 0 : isObject(value)

function messagesOf({ choices }: JsonObject): readonly unknown[] {
  // A relayed answer is unchecked.
  const list: readonly unknown[] = Array.isArray(choices) ? choices : []
  return list.map((choice) => (isObject(choice) ? choice.message : undefined))
}
