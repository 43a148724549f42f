import { isObject } from '../../chat/is-object.ts'
import type { JsonObject } from '../dialect.ts'

/** Returns why a response ended, for usage records: `completed`, `max_output_tokens`, `failed`. */
export function finishReasonsOf({ status, incomplete_details: details }: JsonObject): readonly string[] {
  if (isObject(details) && typeof details.reason === 'string') return [details.reason]
  return typeof status === 'string' ? [status] : []
}
