import { jsonLength } from '../dialects/requests/json-length.ts'
import type { RequestBound } from '../models/most-use.ts'
import type { EndpointRequest } from './endpoint-calls.ts'

/** A character has at most 3 bytes, and each byte is at most a token. */
const TOKENS_PER_CHARACTER = 3
/** The estimate counts a token for 4 characters. */
const TOKENS_PER_ESTIMATED = 4 * TOKENS_PER_CHARACTER
/** What vendors add to inputs. */
const ADDED_TOKENS = 512

/** Returns what a request uses at most. Nothing for uploads, whose sound or images are known only to the upstream. */
export function endpointBound(request: EndpointRequest): { readonly bound?: () => RequestBound } {
  const { isUpload, estimateInput, outputTokens = 0, soundTokens = 0, characters = 0, searchUnits = 1 } = request
  if (isUpload || !estimateInput) return {}
  return {
    bound: () => {
      const unbounded = request.unboundedField?.()
      request.holdOutput?.()
      return {
        inputTokens: mostInputOf(request, estimateInput()) + ADDED_TOKENS,
        outputTokens: outputTokens + soundTokens,
        characters,
        requests: searchUnits,
        ...(unbounded !== undefined && { unbounded }),
      }
    },
  }
}

/** Of a JSON request all members count: an upstream may read more than what the gateway knows. */
const mostInputOf = ({ value }: EndpointRequest, estimate: number): number =>
  Math.max(estimate * TOKENS_PER_ESTIMATED, value ? jsonLength(value) * TOKENS_PER_CHARACTER : 0)
