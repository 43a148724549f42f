import { estimateTokens } from '../../chat/estimate-tokens.ts'
import { isObject } from '../../chat/is-object.ts'
import type { DialectAnswer } from '../../providers/provider.ts'
import { isTokenCount } from '../../usage/token-count.ts'
import { passedAnswer, writtenAnswer } from '../answering/dialect-answers.ts'
import type { Front } from '../answering/front.ts'
import { estimateResponsesInput, responsesOutputLimit } from './estimate-input.ts'
import { finishReasonsOf } from './response-facts.ts'
import { responsesProtocol } from './responses-protocol.ts'

/** Responses as the dialect of clients. */
export const responsesFront: Front<DialectAnswer> = {
  dialect: 'responses',
  purpose: 'responses',
  estimateInput: estimateResponsesInput,
  outputLimit: responsesOutputLimit,
  outputParam: () => 'max_output_tokens',
  protocol: responsesProtocol,
  passed: passedAnswer,
  written: writtenAnswer,
  valueOf: ({ value }) => value,
  usageOf(body, { usage, output }) {
    const { input_tokens: input, output_tokens: written } = isObject(usage) ? usage : {}
    if (isTokenCount(input) || isTokenCount(written)) {
      return {
        inputTokens: isTokenCount(input) ? input : 0,
        outputTokens: isTokenCount(written) ? written : 0,
        estimated: false,
      }
    }
    const outputTokens = estimateTokens(JSON.stringify(output ?? []))
    return { inputTokens: estimateResponsesInput(body), outputTokens, estimated: true }
  },
  factsOf: (value) => ({
    ...(typeof value.id === 'string' ? { responseId: value.id } : {}),
    ...(typeof value.model === 'string' ? { responseModel: value.model } : {}),
    finishReasons: finishReasonsOf(value),
  }),
}
