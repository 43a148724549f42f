import { estimateJson } from '../../chat/estimate-tokens.ts'
import { isObject } from '../../chat/is-object.ts'
import type { DialectAnswer } from '../../providers/provider.ts'
import { plausibleCounts } from '../../usage/plausible-counts.ts'
import { readDetail, searchesIn, serviceTierIn } from '../../usage/read-detail.ts'
import { passedAnswer, writtenAnswer } from '../answering/dialect-answers.ts'
import type { Front } from '../answering/front.ts'
import { listOr } from '../json-values.ts'
import { estimateResponsesInput, responsesOutputLimit } from './estimate-input.ts'
import { finishReasonsOf } from './response-facts.ts'
import { responsesProtocol } from './responses-protocol.ts'

/** Responses as the dialect of clients. */
export const responsesFront: Front<DialectAnswer> = {
  dialect: 'responses',
  purpose: 'responses',
  estimateInput: estimateResponsesInput,
  outputLimit: responsesOutputLimit,
  limits: ['max_output_tokens'],
  outputParam: () => 'max_output_tokens',
  protocol: responsesProtocol,
  passed: passedAnswer,
  written: writtenAnswer,
  valueOf: ({ value }) => value,
  headersOf: ({ headers = {} }) => headers,
  usageOf(body, value) {
    const { usage, output } = value
    const tier = serviceTierIn(value)
    const reported = isObject(usage) ? usage : {}
    const counts = plausibleCounts(
      { input: reported.input_tokens, output: reported.output_tokens },
      {
        isWritten: listOr(output).length > 0,
        estimateInput: () => estimateResponsesInput(body),
        estimateOutput: () => estimateJson(output ?? []),
      },
    )
    return { ...counts, ...readDetail(reported), ...searchesIn(output), ...tier }
  },
  factsOf: (value) => ({
    ...(typeof value.id === 'string' ? { responseId: value.id } : {}),
    ...(typeof value.model === 'string' ? { responseModel: value.model } : {}),
    finishReasons: finishReasonsOf(value),
  }),
}
