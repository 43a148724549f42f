import { isObject } from '../chat/is-object.ts'
import type { JsonObject } from './dialect.ts'

/** Returns the value if it is an object, otherwise an object without members. */
export const objectOr = (value: unknown): JsonObject => (isObject(value) ? value : {})

/** Returns the value if it is a list, otherwise an empty one. */
export const listOr = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

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

/** Returns the members that are not `undefined`, with the type of optional members. */
export function present<Members extends object>(
  members: Members,
): { [Name in keyof Members]?: Exclude<Members[Name], undefined> } {
  const kept: { [Name in keyof Members]?: Exclude<Members[Name], undefined> } = {}
  for (const name in members) {
    const value = members[name]
    if (isDefined(value)) kept[name] = value
  }
  return kept
}

const isDefined = <Value>(value: Value): value is Exclude<Value, undefined> => value !== undefined
