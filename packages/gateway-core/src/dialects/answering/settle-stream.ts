import type { AnswerUsage } from '../../chat/answer-usage.ts'
import type { StreamEnding } from '../../chat/streams/stream-relay.ts'
import type { ModelCall } from '../../models/model-call.ts'
import { CLIENT_DISCONNECTED, statusOf } from '../../providers/error-status.ts'
import type { StreamAccount } from '../streams/stream-protocol.ts'
import type { UpstreamService } from './upstream-service.ts'

/** Settles a call whose stream has ended. */
export function settleStream(
  modelCall: ModelCall<UpstreamService>,
  account: StreamAccount,
  estimateInput: () => number,
  ending: StreamEnding,
): void {
  modelCall.settle({
    status: statusOfEnding(ending),
    ...usageOf(account, estimateInput),
    partial: ending.type !== 'complete',
    ...(ending.type === 'upstream-failed' ? { errorType: ending.error.type } : {}),
    ...(account.id === undefined ? {} : { responseId: account.id }),
    ...(account.model === undefined ? {} : { responseModel: account.model }),
    finishReasons: account.finishReasons,
  })
}

/** An aborted stream may have reported its input, and never its output. */
function usageOf({ tokens, pieces }: StreamAccount, estimateInput: () => number): AnswerUsage {
  const { input, output } = tokens
  if (output !== undefined) return { inputTokens: input ?? 0, outputTokens: output, estimated: false }
  return { inputTokens: input ?? estimateInput(), outputTokens: pieces, estimated: true }
}

function statusOfEnding(ending: StreamEnding): number {
  if (ending.type === 'complete') return 200
  return ending.type === 'client-left' ? CLIENT_DISCONNECTED : statusOf(ending.error)
}
