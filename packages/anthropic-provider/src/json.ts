export type JsonObject = Readonly<Record<string, unknown>>

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const objectOr = (value: unknown): JsonObject => (isObject(value) ? value : {})

export const listOr = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

export const textOr = (value: unknown, otherwise = ''): string => (typeof value === 'string' ? value : otherwise)

/** A token count; anything that is none counts as 0. */
export const countOr = (value: unknown): number => (Number.isSafeInteger(value) ? Math.max(0, Number(value)) : 0)

/** The value of a JSON text, `undefined` where the text is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
