import { isObject } from '../../chat/is-object.ts'
import type { JsonObject } from '../../dialects/dialect.ts'
import { listOr } from '../../dialects/json-values.ts'

/** Members whose texts are appended. Those of others are sent once, or again with each delta. */
const texts: ReadonlySet<string> = new Set([
  'content',
  'refusal',
  'reasoning_content',
  'reasoning',
  'arguments',
  'input',
])

/** Lists whose elements are added. */
const lists: ReadonlySet<string> = new Set(['annotations'])

/** The most calls of an answer. */
const MOST_CALLS = 256

/** Adds a delta to a message. @returns `undefined` where it is unknown how */
export function mergedDelta(message: JsonObject, delta: JsonObject): JsonObject | undefined {
  const merged: Record<string, unknown> = { ...message }
  for (const [name, value] of Object.entries(delta)) {
    const joined =
      name === 'tool_calls' ? mergedCalls(listOr(message[name]), listOr(value)) : join(name, message[name], value)
    if (joined === undefined) return undefined
    merged[name] = joined
  }
  return merged
}

function join(name: string, before: unknown, value: unknown): unknown {
  if (before === undefined || before === null) return value
  if (value === null || value === before || value === '') return texts.has(name) && value ? `${before}${value}` : before
  if (typeof before === 'string' && typeof value === 'string') {
    if (texts.has(name)) return before + value
    return before === '' ? value : undefined
  }
  if (Array.isArray(before) && Array.isArray(value)) {
    if (value.length === 0) return before
    return before.length === 0 || lists.has(name) ? [...before, ...value] : undefined
  }
  return isObject(before) && isObject(value) ? mergedDelta(before, value) : undefined
}

/** Calls are known by their `index`. */
function mergedCalls(calls: readonly unknown[], deltas: readonly unknown[]): readonly unknown[] | undefined {
  const merged = [...calls]
  for (const delta of deltas) {
    if (!isObject(delta) || typeof delta.index !== 'number') return undefined
    const place = merged.findIndex((call) => isObject(call) && call.index === delta.index)
    const before = merged[place]
    const call = isObject(before) ? mergedDelta(before, delta) : delta
    if (!call || merged.length > MOST_CALLS) return undefined
    if (place < 0) merged.push(call)
    else merged[place] = call
  }
  return merged
}
