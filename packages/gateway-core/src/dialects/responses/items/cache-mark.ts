import type { JsonObject } from '../../dialect.ts'
import { objectOf } from '../../json-values.ts'

const mark = { type: 'ephemeral' }

/** Reads OpenAI's mark of a prompt cache in the words of Anthropic. */
export const cacheControlOf = (part: JsonObject): unknown => (objectOf(part.prompt_cache_breakpoint) ? mark : undefined)
