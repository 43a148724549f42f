import { isObject } from '../../chat/is-object.ts'
import type { JsonObject } from '../dialect.ts'

export const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

export const numberOf = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) ? value : undefined

export const booleanOf = (value: unknown): boolean | undefined => (typeof value === 'boolean' ? value : undefined)

export const objectOf = (value: unknown): JsonObject | undefined => (isObject(value) ? value : undefined)

export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

export const objectsOf = (value: unknown): readonly JsonObject[] => listOf(value).filter(isObject)

export const textsOf = (value: unknown): readonly string[] => listOf(value).filter((one) => typeof one === 'string')

type Present<Fields> = {
  [Name in keyof Fields as undefined extends Fields[Name] ? never : Name]: Fields[Name]
} & {
  [Name in keyof Fields as undefined extends Fields[Name] ? Name : never]?: Exclude<Fields[Name], undefined>
}

/** Leaves out the fields that are `undefined`. */
export function present<const Fields extends object>(fields: Fields): Present<Fields>
export function present(fields: object): object {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
}
