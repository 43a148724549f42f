import type { JsonObject } from '../dialect.ts'
import { objectOr, textsOf } from '../json-values.ts'

/** Returns the texts of a list that is not empty. */
export function textsIn(value: unknown): readonly string[] | undefined {
  const texts = textsOf(value)
  return texts.length === 0 ? undefined : texts
}

/** Returns an object with the member, or without it where the value is `undefined`. */
export function given<Name extends string, Value>(
  name: Name,
  value: Value | undefined,
): { readonly [Key in Name]?: Value } {
  const member: { [Key in Name]?: Value } = {}
  if (value !== undefined) member[name] = value
  return member
}

/**
 * Returns these members of an object. A stream is accumulated of them alone, because each event would otherwise cost as
 * much as all members that the upstream has sent before.
 */
export function membersOf(value: unknown, names: readonly string[]): JsonObject {
  const object = objectOr(value)
  return Object.fromEntries(names.flatMap((name) => (Object.hasOwn(object, name) ? [[name, object[name]]] : [])))
}
