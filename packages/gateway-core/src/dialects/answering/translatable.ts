import { ProviderFailure } from '../../providers/provider-error.ts'
import type { JsonObject } from '../dialect.ts'
import { jsonLength } from '../requests/json-length.ts'

/**
 * Returns a complete answer that is to be translated or made a stream, which takes turns of the event loop for its size.
 *
 * @param most the characters of its JSON, where each character that is escaped counts once
 * @throws ProviderFailure for a larger one
 */
export function translatable<Answer extends JsonObject>(answer: Answer, most: number): Answer {
  if (jsonLength(answer) <= most) return answer
  throw new ProviderFailure({
    type: 'malformed',
    message: `The complete answer of the upstream has more than ${most} characters, and cannot be translated.`,
    retryable: false,
  })
}
