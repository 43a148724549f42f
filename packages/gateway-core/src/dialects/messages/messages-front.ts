import { estimateJson } from '../../chat/estimate-tokens.ts'
import { isObject } from '../../chat/is-object.ts'
import type { DialectAnswer } from '../../providers/provider.ts'
import { plausibleCounts } from '../../usage/plausible-counts.ts'
import { readMessageDetail } from '../../usage/read-detail.ts'
import { passedAnswer, writtenAnswer } from '../answering/dialect-answers.ts'
import type { Front } from '../answering/front.ts'
import { listOr } from '../json-values.ts'
import { encodeBody, withoutByteOrderMark } from '../requests/encode-body.ts'
import { estimateMessagesInput, messagesOutputLimit } from './estimate-input.ts'
import { inputTokensOf } from './message-usage.ts'
import { messagesProtocol } from './messages-protocol.ts'

/** Clients leave out thinking in the next turn if the answer names another model than they requested. */
function withModel(answer: DialectAnswer, model: unknown): DialectAnswer {
  const bytes = encodeBody(answer.value, withoutByteOrderMark(answer.bytes), new Map([['model', model]]))
  return { ...answer, bytes, value: { ...answer.value, model } }
}

/** Messages as the dialect of clients. */
export const messagesFront: Front<DialectAnswer> = {
  dialect: 'messages',
  purpose: 'messages',
  estimateInput: estimateMessagesInput,
  outputLimit: messagesOutputLimit,
  limits: ['max_tokens'],
  outputParam: () => 'max_tokens',
  protocol: ({ model }, requestId) => messagesProtocol(String(model), requestId),
  passed: passedAnswer,
  written: writtenAnswer,
  shown: (answer, { model }) => (answer.value.model === model ? answer : withModel(answer, model)),
  valueOf: ({ value }) => value,
  headersOf: ({ headers = {} }) => headers,
  usageOf(body, { usage, content }) {
    const reported = isObject(usage) ? usage : undefined
    // A translated message has only zeros where its upstream reports nothing.
    const counts = plausibleCounts(
      { input: inputTokensOf(reported), output: reported?.output_tokens },
      {
        isWritten: listOr(content).length > 0,
        estimateInput: () => estimateMessagesInput(body),
        estimateOutput: () => estimateJson(content ?? []),
      },
    )
    return { ...counts, ...readMessageDetail(reported ?? {}) }
  },
  factsOf: ({ id, model, stop_reason: reason }) => ({
    ...(typeof id === 'string' ? { responseId: id } : {}),
    ...(typeof model === 'string' ? { responseModel: model } : {}),
    finishReasons: typeof reason === 'string' ? [reason] : [],
  }),
}
