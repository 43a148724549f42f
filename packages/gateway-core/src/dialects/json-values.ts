import { isObject } from '../chat/is-object.ts'
import type { JsonObject } from './dialect.ts'

/** Returns the value if it is an object. */
export const objectOf = (value: unknown): JsonObject | undefined => (isObject(value) ? value : undefined)

/** Returns the value if it is an object, otherwise an object without members. */
export const objectOr = (value: unknown): JsonObject => (isObject(value) ? value : {})

/** Returns the value if it is a list, otherwise an empty one. */
export const listOr = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

/** Returns the objects of a list. */
export const objectsOf = (value: unknown): readonly JsonObject[] => listOr(value).filter(isObject)

/** Returns the texts of a list. */
export const textsOf = (value: unknown): readonly string[] => listOr(value).filter((one) => typeof one === 'string')

/** Returns the value if it is a text. */
export const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

/** Returns the value if it is a text, otherwise `otherwise`. */
export const textOr = (value: unknown, otherwise = ''): string => (typeof value === 'string' ? value : otherwise)

/** Returns the value if it is a text with at least one character. */
export const textIn = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined

/** Returns the value if it is a finite number. */
export const numberIn = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) ? value : undefined

/** Returns the value if it is a whole number from 0 that is exact. */
export const countIn = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined

/** Returns the value if it is a boolean. */
export const booleanOf = (value: unknown): boolean | undefined => (typeof value === 'boolean' ? value : undefined)

type Present<Members> = {
  [Name in keyof Members as undefined extends Members[Name] ? never : Name]: Members[Name]
} & {
  [Name in keyof Members as undefined extends Members[Name] ? Name : never]?: Exclude<Members[Name], undefined>
}

/** Leaves out the members that are `undefined`. */
export function present<const Members extends object>(members: Members): Present<Members>
export function present(members: Readonly<Record<string, unknown>>): object {
  const found: Record<string, unknown> = {}
  for (const name in members) {
    if (members[name] !== undefined) found[name] = members[name]
  }
  return found
}
