import type { AnswerUsage } from '../../chat/answer-usage.ts'
import { isCut, type StreamEnding } from '../../chat/streams/stream-relay.ts'
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
  const result = {
    status: statusOfEnding(ending),
    ...streamUsage(account, cut),
    partial: ending.type !== 'complete',
    ...(ending.type === 'upstream-failed' ? { errorType: ending.error.type, errorMessage: ending.error.message } : {}),
    ...(account.id === undefined ? {} : { responseId: account.id }),
    ...(account.model === undefined ? {} : { responseModel: account.model }),
    finishReasons: account.finishReasons,
  }
  // Some upstreams report a total so far with each event.
  const isFinal = account.finishReasons.length > 0 && !result.estimated
  modelCall.settle(result, isCut(ending) && !isFinal)
}

/** An aborted stream may have reported its input, and never its output, except that of the rounds that have ended. */
export function streamUsage({ tokens, pieces }: StreamAccount, { estimateInput, ended }: CutUsage): AnswerUsage {
  const { input, output, detail } = tokens
  // A stream with text cannot have none of output, nor one without a prompt.
  if (output !== undefined && (output > 0 || pieces === 0)) {
    return {
      ...detail,
      inputTokens: input ?? estimateInput(),
      outputTokens: output,
      estimated: input === undefined,
    }
  }
  if (ended) {
    const { pieces: earlier, inputTokens, outputTokens, ...spent } = ended
    const current = Math.max(0, pieces - earlier)
    return {
      ...spent,
      inputTokens: inputTokens + estimateInput(),
      outputTokens: outputTokens + current,
      estimated: true,
    }
  }
  return { ...detail, inputTokens: input ?? estimateInput(), outputTokens: pieces, estimated: true }
}

function statusOfEnding(ending: StreamEnding): number {
  if (ending.type === 'complete') return 200
  return ending.type === 'client-left' ? CLIENT_DISCONNECTED : statusOf(ending.error)
}
