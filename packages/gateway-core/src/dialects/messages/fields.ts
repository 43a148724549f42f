import { textsOf } from '../json-values.ts'

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
