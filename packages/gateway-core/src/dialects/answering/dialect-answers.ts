import type { DialectAnswer } from '../../providers/provider.ts'
import type { JsonObject } from '../dialect.ts'
import type { UpstreamWhole } from './upstream-calls.ts'

/** Returns the answer of an upstream that is passed on as it came. */
export function passedAnswer(whole: UpstreamWhole): DialectAnswer {
  if (whole.dialect === 'chat') throw new TypeError('The answer is a chat completion.')
  return whole.answer
}

/** Returns an answer that was translated. */
export const writtenAnswer = (
  value: JsonObject,
  bytes: Uint8Array,
  headers: Readonly<Record<string, string>>,
): DialectAnswer => ({
  bytes,
  value,
  headers,
})
