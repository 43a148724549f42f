import type { CacheMark } from '../conversation/conversation-parts.ts'
import type { JsonObject } from '../dialect.ts'
import { objectOr } from '../json-values.ts'

/** Reads `cache_control`, as clients of messages send it, or OpenAI's `prompt_cache_breakpoint`. */
export function cacheMarkOf(value: JsonObject): CacheMark {
  if (value.cache_control != null) return { cacheControl: value.cache_control }
  const { mode, ttl } = objectOr(value.prompt_cache_breakpoint)
  if (mode !== 'explicit') return {}
  return { cacheControl: { type: 'ephemeral', ...(ttl == null ? {} : { ttl }) }, markName: 'prompt_cache_breakpoint' }
}

/** Marks the last part that can have a mark, for a message whose own mark means its end. */
export function withMark<Part extends { readonly type: string } & CacheMark>(
  parts: readonly Part[],
  message: JsonObject,
): readonly Part[] {
  const mark = cacheMarkOf(message)
  const last = parts.at(-1)
  if (last === undefined || mark.cacheControl === undefined || last.cacheControl !== undefined) return parts
  return [...parts.slice(0, -1), { ...last, ...mark }]
}
