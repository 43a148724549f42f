import { isObject } from '@trivium/gateway-core/ports'

/** A JSON object whose fields are not checked. */
export type JsonObject = Readonly<Record<string, unknown>>

/** Returns the value if it is an object, otherwise an object without fields. */
export const objectOr = (value: unknown): JsonObject => (isObject(value) ? value : {})

/** Returns the value if it is a list, otherwise an empty one. */
export const listOr = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

/** Returns the value if it is a string, otherwise `otherwise`. @param otherwise @default '' */
export const textOr = (value: unknown, otherwise = ''): string => (typeof value === 'string' ? value : otherwise)

/** Returns the value if it is a safe integer of at least 0, otherwise 0. For token counts. */
export const countOr = (value: unknown): number => (Number.isSafeInteger(value) ? Math.max(0, Number(value)) : 0)
