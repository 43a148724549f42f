import type { JsonObject } from '../../dialect.ts'
import { objectsOf } from '../../json-values.ts'

/** Counts the phases of earlier answers. Other dialects have none, and no effect of them: they are hints. */
export function phases({ input }: JsonObject): JsonObject {
  const count = objectsOf(input).filter(({ role, phase }) => role === 'assistant' && typeof phase === 'string').length
  return count > 0 ? { 'input.phase': count } : {}
}
