import { isObject } from '@trivium/gateway-core/ports'

/** An object of a JSON text, whose fields are not checked. */
export type JsonObject = Readonly<Record<string, unknown>>

/** The value where it is an object, otherwise one without fields. */
export const objectOr = (value: unknown): JsonObject => (isObject(value) ? value : {})

/** The value where it is a list, otherwise an empty one. */
export const listOr = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

/** The value where it is a text. @param otherwise what stands for anything else @default '' */
export const textOr = (value: unknown, otherwise = ''): string => (typeof value === 'string' ? value : otherwise)

/** A token count; anything else counts as 0. */
export const countOr = (value: unknown): number => (Number.isSafeInteger(value) ? Math.max(0, Number(value)) : 0)
