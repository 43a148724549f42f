import type { ProviderError } from '../providers/provider-error.ts'
import { isRequestError } from '../providers/retries.ts'

/** The kinds of failures after which another model may answer. */
export const failureKinds = ['error', 'rate_limit', 'context_length', 'refusal'] as const

/** A kind of failure after which another model may answer. */
export type FailureKind = (typeof failureKinds)[number]

/** Failures of an upstream, which say nothing about the request. */
export const upstreamFailures: ReadonlySet<FailureKind> = new Set(['error', 'rate_limit'])

/** As OpenAI, llama.cpp and vendors that follow them name it. */
const contextCodes: ReadonlySet<string | undefined> = new Set([
  'context_length_exceeded',
  'exceed_context_size_error',
  'string_above_max_length',
])
/** As Anthropic, Google, Amazon, Mistral and vLLM word it. */
const CONTEXT_WORDS =
  /prompt is too long|maximum context length|context (?:length|window|limit|size)|input is too long|exceeds? the maximum number of tokens|too large for model/i

/** As OpenAI and Azure name it. */
const refusalCodes: ReadonlySet<string | undefined> = new Set([
  'content_filter',
  'content_policy_violation',
  'invalid_prompt',
  'moderation_blocked',
  'ResponsibleAIPolicyViolation',
])
const REFUSAL_WORDS = /content (?:management )?polic|content filter|safety system|usage polic/i

/** Returns the kind of a failure; `undefined` for one that any model would refuse. */
export function failureKindOf(error: ProviderError): FailureKind | undefined {
  if (error.type !== 'refused') return isRequestError(error) ? undefined : 'error'
  if (error.status === 429) return 'rate_limit'
  const { code, upstreamType, message, status } = error
  if (status < 500 && (contextCodes.has(code) || contextCodes.has(upstreamType))) return 'context_length'
  if (status < 500 && (refusalCodes.has(code) || refusalCodes.has(upstreamType))) return 'refusal'
  if (!isRequestError(error)) return 'error'
  if (status === 413 || CONTEXT_WORDS.test(message)) return 'context_length'
  return REFUSAL_WORDS.test(message) ? 'refusal' : undefined
}
