import type { Dialect, JsonObject } from '../dialects/dialect.ts'

/** Members that a response repeats of its request, and that do not change the answer otherwise. */
const echoed: Readonly<Record<string, unknown>> = {
  metadata: {},
  user: null,
  safety_identifier: null,
  prompt_cache_key: null,
}

/** Returns an answer without what it repeats of its request, which must not reach other callers. */
export const withoutRequest = (dialect: Dialect, answer: JsonObject): JsonObject => ofRequest(dialect, answer, {})

/** Returns an answer as if it repeated this request. */
export function ofRequest(dialect: Dialect, answer: JsonObject, body: JsonObject): JsonObject {
  if (dialect !== 'responses') return answer
  const names = Object.keys(echoed).filter((name) => name in answer)
  if (names.length === 0) return answer
  return { ...answer, ...Object.fromEntries(names.map((name) => [name, body[name] ?? echoed[name]])) }
}
