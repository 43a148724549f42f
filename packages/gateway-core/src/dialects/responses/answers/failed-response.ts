import { errorBodyOf } from '../../../providers/error-body.ts'
import { statusOf } from '../../../providers/error-status.ts'
import type { ProviderError } from '../../../providers/provider-error.ts'
import type { JsonObject } from '../../dialect.ts'

/** Returns a response that has begun as one that has failed. Members that clients require and it lacks are empty. */
export function failedResponse(begun: JsonObject, error: ProviderError): JsonObject {
  return {
    ...required,
    ...begun,
    status: 'failed',
    error: { code: failureCodeOf(error), message: errorBodyOf(error).message },
    incomplete_details: null,
    output: begun.output ?? [],
    usage: null,
  }
}

const required: JsonObject = {
  access_programs: null,
  instructions: null,
  metadata: {},
  parallel_tool_calls: true,
  temperature: null,
  tool_choice: 'auto',
  tools: [],
  top_p: null,
}

/** OpenAI's words for why a response failed. Its SDK does not have the last ones, but its servers send them. */
const words: ReadonlySet<string> = new Set([
  'bio_policy',
  'data_residency_mismatch',
  'empty_image_file',
  'failed_to_download_image',
  'image_content_policy_violation',
  'image_file_not_found',
  'image_file_too_large',
  'image_parse_error',
  'image_too_large',
  'image_too_small',
  'invalid_base64_image',
  'invalid_image',
  'invalid_image_format',
  'invalid_image_mode',
  'invalid_image_url',
  'invalid_prompt',
  'misalignment_policy_violation',
  'rate_limit_exceeded',
  'server_error',
  'unsupported_image_media_type',
  'vector_store_timeout',
  // Codex compacts the conversation, stops or waits because of them.
  'context_length_exceeded',
  'insufficient_quota',
  'server_is_overloaded',
  'slow_down',
])

/** Returns OpenAI's word for a failure. The gateway's own codes are in the event before, `error`. */
function failureCodeOf(error: ProviderError): string {
  const { code } = errorBodyOf(error)
  if (code !== null && words.has(code)) return code
  const status = statusOf(error)
  if (status === 429) return 'rate_limit_exceeded'
  return status === 400 || status === 413 || status === 422 ? 'invalid_prompt' : 'server_error'
}
