import { isObject } from '@trivium/gateway-core/ports'

type Schema = Readonly<Record<string, unknown>>

const DEEPEST = 32

/** The most values of a sample and characters of its texts, because items of a schema can be nested and multiplied. */
const MAX_VALUES = 1000
const MAX_CHARACTERS = 16_384

/** The number of values and characters that a sample may still get. */
interface Remaining {
  values: number
  characters: number
}

const whole = (): Remaining => ({ values: MAX_VALUES, characters: MAX_CHARACTERS })

/**
 * Creates the simplest value that matches a JSON schema, for JSON formats. It has at most 1,000 values; further ones
 * are null.
 */
export const sampleOf = (schema: unknown, text: string): unknown => sample(schema, text, whole(), 0)

/** Creates an object with each property of a schema, for arguments of tools, with the same limits. */
export const sampleObject = (schema: unknown, text: string): Record<string, unknown> =>
  members(schema, text, whole(), 0)

function sample(schema: unknown, text: string, rest: Remaining, depth: number): unknown {
  rest.values -= 1
  if (!isObject(schema) || depth > DEEPEST || rest.values < 0) return null
  if ('const' in schema) return schema.const
  if ('default' in schema) return schema.default
  if (Array.isArray(schema.enum)) return schema.enum[0] ?? null
  const alternatives = schema.anyOf ?? schema.oneOf
  if (Array.isArray(alternatives)) return sample(alternatives[0], text, rest, depth + 1)
  switch (Array.isArray(schema.type) ? schema.type[0] : schema.type) {
    case 'string':
      return takeText(text, rest)
    case 'integer':
    case 'number':
      return typeof schema.minimum === 'number' ? schema.minimum : 0
    case 'boolean':
      return false
    case 'array':
      return Array.from({ length: itemsOf(schema) }, () => sample(schema.items, text, rest, depth + 1))
    case 'null':
      return null
    default:
      return members(schema, text, rest, depth)
  }
}

function members(schema: unknown, text: string, rest: Remaining, depth: number): Record<string, unknown> {
  if (!isObject(schema) || !isObject(schema.properties)) return {}
  return Object.fromEntries(
    Object.entries(schema.properties)
      .slice(0, Math.max(rest.values, 0))
      .map(([name, property]) => [name, sample(property, text, rest, depth + 1)]),
  )
}

function takeText(text: string, rest: Remaining): string {
  const part = text.slice(0, rest.characters).toWellFormed()
  rest.characters -= part.length
  return part
}

/** The number of items: `minItems`, at least 1 and at most 10. */
const itemsOf = ({ minItems }: Schema): number =>
  typeof minItems === 'number' ? Math.min(10, Math.max(1, minItems)) : 1
