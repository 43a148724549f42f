import type { AnswerUsage } from '../../chat/answer-usage.ts'
import { estimateJson } from '../../chat/estimate-tokens.ts'
import { sumOfDetails } from '../../usage/usage-detail.ts'
import type { ConversationUsage } from '../conversation/conversation-answer.ts'
import type { OutputPart } from '../conversation/conversation-parts.ts'

/**
 * The tokens of the rounds of one answer that have ended. The upstream has been paid for them, even where the answer as a
 * whole fails.
 */
export class RoundTokens {
  readonly #estimateInput: () => number
  #total: AnswerUsage | undefined

  /** @param estimateInput estimates the prompt of a round whose usage the upstream does not report */
  constructor(estimateInput: () => number) {
    this.#estimateInput = estimateInput
  }

  /** `undefined` before the end of the first round. */
  get total(): AnswerUsage | undefined {
    return this.#total
  }

  add(content: readonly OutputPart[], usage: ConversationUsage | undefined): void {
    const { inputTokens, outputTokens, estimated, ...details } = this.#total ?? nothingUsed
    this.#total = {
      ...sumOfDetails(details, usage ?? {}),
      inputTokens: inputTokens + (usage?.inputTokens ?? this.#estimateInput()),
      outputTokens: outputTokens + (usage?.outputTokens ?? estimateJson(content)),
      estimated: estimated || usage === undefined,
    }
  }
}

const nothingUsed: AnswerUsage = { inputTokens: 0, outputTokens: 0, estimated: false }
