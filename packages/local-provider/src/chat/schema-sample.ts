import { isObject } from '@trivium/gateway-core/ports'

type Schema = Readonly<Record<string, unknown>>

const DEEPEST = 32

/** The plainest value that fits a JSON schema: what tools are called with, and what JSON formats get. */
export function sampleOf(schema: unknown, text: string, depth = 0): unknown {
  if (!isObject(schema) || depth > DEEPEST) return null
  if ('const' in schema) return schema.const
  if ('default' in schema) return schema.default
  if (Array.isArray(schema.enum)) return schema.enum[0] ?? null
  const alternatives = schema.anyOf ?? schema.oneOf
  if (Array.isArray(alternatives)) return sampleOf(alternatives[0], text, depth + 1)
  switch (Array.isArray(schema.type) ? schema.type[0] : schema.type) {
    case 'string':
      return text
    case 'integer':
    case 'number':
      return typeof schema.minimum === 'number' ? schema.minimum : 0
    case 'boolean':
      return false
    case 'array':
      return Array.from({ length: itemsOf(schema) }, () => sampleOf(schema.items, text, depth + 1))
    case 'null':
      return null
    default:
      return sampleObject(schema, text, depth)
  }
}

/** Every property that the schema names. */
export function sampleObject(schema: unknown, text: string, depth = 0): Record<string, unknown> {
  if (!isObject(schema) || !isObject(schema.properties)) return {}
  return Object.fromEntries(
    Object.entries(schema.properties).map(([name, property]) => [name, sampleOf(property, text, depth + 1)]),
  )
}

/** One item, or as many as are needed, up to ten. */
const itemsOf = ({ minItems }: Schema): number =>
  typeof minItems === 'number' ? Math.min(10, Math.max(1, minItems)) : 1
