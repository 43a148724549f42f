import { isObject } from '../../chat/is-object.ts'
import type { JsonObject } from '../dialect.ts'

/** Returns the value if it is an object, otherwise an object without fields. */
export const objectOr = (value: unknown): JsonObject => (isObject(value) ? value : {})

/** Returns the value if it is a list, otherwise an empty one. */
export const listOr = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

/** Returns the value if it is a text, otherwise an empty one. */
export const textOr = (value: unknown): string => (typeof value === 'string' ? value : '')

/** Returns the value if it is a text that is not empty. */
export const textIn = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined

/** Returns the value if it is a number. */
export const numberIn = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined)

/** Returns the value if it is a safe integer of at least 0. For counts of tokens. */
export const countIn = (value: unknown): number | undefined =>
  Number.isSafeInteger(value) && Number(value) >= 0 ? Number(value) : undefined

/** Returns the texts of a list that is not empty. */
export function textsIn(value: unknown): readonly string[] | undefined {
  const texts = listOr(value).filter((item) => typeof item === 'string')
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
