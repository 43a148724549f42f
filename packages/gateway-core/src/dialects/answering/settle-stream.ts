import type { AnswerUsage } from '../../chat/answer-usage.ts'
import type { StreamEnding } from '../../chat/streams/stream-relay.ts'
import type { ModelCall } from '../../models/model-call.ts'
import { CLIENT_DISCONNECTED, statusOf } from '../../providers/error-status.ts'
import type { StreamAccount } from '../streams/stream-protocol.ts'
import type { EndedRounds } from './front-source.ts'
import type { UpstreamServices } from './upstream-service.ts'

/** What is known of the usage of a stream that was cut. */
export interface CutUsage {
  /** Of the current round. */
  readonly estimateInput: () => number
  readonly ended: EndedRounds | undefined
}

/** Settles a call whose stream has ended. */
export function settleStream(
  modelCall: ModelCall<UpstreamServices>,
  account: StreamAccount,
  cut: CutUsage,
  ending: StreamEnding,
): void {
  modelCall.settle({
    status: statusOfEnding(ending),
    ...usageOf(account, cut),
    partial: ending.type !== 'complete',
    ...(ending.type === 'upstream-failed' ? { errorType: ending.error.type } : {}),
    ...(account.id === undefined ? {} : { responseId: account.id }),
    ...(account.model === undefined ? {} : { responseModel: account.model }),
    finishReasons: account.finishReasons,
  })
}

/** An aborted stream may have reported its input, and never its output, except that of the rounds that have ended. */
function usageOf({ tokens, pieces }: StreamAccount, { estimateInput, ended }: CutUsage): AnswerUsage {
  const { input, output } = tokens
  if (output !== undefined) return { inputTokens: input ?? 0, outputTokens: output, estimated: false }
  if (ended) {
    const { inputTokens, outputTokens } = ended
    const current = Math.max(0, pieces - ended.pieces)
    return { inputTokens: inputTokens + estimateInput(), outputTokens: outputTokens + current, estimated: true }
  }
  return { inputTokens: input ?? estimateInput(), outputTokens: pieces, estimated: true }
}

function statusOfEnding(ending: StreamEnding): number {
  if (ending.type === 'complete') return 200
  return ending.type === 'client-left' ? CLIENT_DISCONNECTED : statusOf(ending.error)
}
