import { isTokenCount } from './token-count.ts'

/** What an upstream reports of an answer. Any of it may be malformed. */
export interface ReportedCounts {
  readonly input: unknown
  readonly output: unknown
}

/** What the gateway knows itself. */
export interface OwnCounts {
  /** Whether the answer has anything that a model writes. */
  readonly isWritten: boolean
  readonly estimateInput: () => number
  readonly estimateOutput: () => number
}

export interface PlausibleCounts {
  readonly inputTokens: number
  readonly outputTokens: number
  /** Whether a part is an estimate. */
  readonly estimated: boolean
}

/**
 * Returns reported counts, each replaced by an estimate where it cannot be: a prompt has tokens, and so has what is written.
 * Otherwise a half of an answer would be free.
 */
export function plausibleCounts({ input, output }: ReportedCounts, own: OwnCounts): PlausibleCounts {
  const hasInput = isTokenCount(input) && input > 0
  const hasOutput = isTokenCount(output) && (output > 0 || !own.isWritten)
  return {
    inputTokens: hasInput ? input : own.estimateInput(),
    outputTokens: hasOutput ? output : own.estimateOutput(),
    estimated: !hasInput || !hasOutput,
  }
}
