import { isObject } from '../../chat/is-object.ts'

/** Returns a value without the probabilities of tokens, which repeat the text in pieces. */
export function withoutLogprobs<Value>(value: Value): Value
export function withoutLogprobs(value: unknown): unknown {
  if (Array.isArray(value)) {
    const list = value.map((member: unknown) => withoutLogprobs(member))
    return list.some((member, at) => member !== value[at]) ? list : value
  }
  if (!isObject(value)) return value
  let changed: Record<string, unknown> | undefined
  for (const [name, member] of Object.entries(value)) {
    const kept = name === 'logprobs' ? emptyOf(member) : withoutLogprobs(member)
    if (kept === member) continue
    changed ??= { ...value }
    changed[name] = kept
  }
  return changed ?? value
}

function emptyOf(member: unknown): unknown {
  if (Array.isArray(member)) return member.length === 0 ? member : []
  return null
}
