import type { ChatUsage } from '@trivium/gateway-core/ports'
import { countOr, isObject, type JsonObject } from '@trivium/provider-kit/answers'

/** Converts token counts of the current specification, or the flat ones of version 2. `undefined` without counts. */
export function usage(counts: unknown): ChatUsage | undefined {
  if (!isObject(counts)) return undefined
  const input = isObject(counts.inputTokens)
    ? counts.inputTokens
    : { total: counts.inputTokens, cacheRead: counts.cachedInputTokens }
  const output = isObject(counts.outputTokens)
    ? counts.outputTokens
    : { total: counts.outputTokens, reasoning: counts.reasoningTokens }
  if (typeof input.total !== 'number' && typeof output.total !== 'number') return undefined
  const prompt = countOr(input.total)
  const completion = countOr(output.total)
  return {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
    ...details('prompt_tokens_details', input, { cached_tokens: 'cacheRead', cache_write_tokens: 'cacheWrite' }),
    ...details('completion_tokens_details', output, { reasoning_tokens: 'reasoning' }),
  }
}

function details(name: string, counts: JsonObject, names: Readonly<Record<string, string>>): JsonObject {
  const known = Object.entries(names).filter(([, from]) => typeof counts[from] === 'number')
  if (known.length === 0) return {}
  return { [name]: Object.fromEntries(known.map(([to, from]) => [to, countOr(counts[from])])) }
}
