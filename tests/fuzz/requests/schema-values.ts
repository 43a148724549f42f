import type { OpenApiDocument, OpenApiParameter } from '@trivium/http-contract/openapi'
import fc from 'fast-check'
import { hostileText } from './hostile-values.ts'

export type Schema = OpenApiParameter['schema']

/** The depth at which the values of a recursive schema end. */
const MAX_DEPTH = 6

export interface SchemaValuesOptions {
  readonly document: OpenApiDocument
  /** Meaningful values by the dotted path of a field, or its end. */
  readonly values: Readonly<Record<string, readonly unknown[]>>
}

/** Makes values that match a schema, as far as the schema describes them. */
export function schemaValues({ document, values }: SchemaValuesOptions) {
  const known = (path: string): readonly unknown[] | undefined => {
    const names = path.split('.')
    for (let start = 0; start < names.length; start += 1) {
      const found = values[names.slice(start).join('.')]
      if (found) return found
    }
    return undefined
  }

  const resolve = (reference: string): Schema | boolean =>
    document.components?.schemas?.[reference.slice('#/components/schemas/'.length)] ?? {}

  /** @param path the dotted path of the value, whose name can select values that mean more than its schema */
  function from(schema: Schema | boolean, path: string, depth = 0): fc.Arbitrary<unknown> {
    const meant = known(path)
    const fitting = byShape(schema, path, depth)
    return meant ? fc.oneof({ arbitrary: fc.constantFrom(...meant), weight: 4 }, fitting) : fitting
  }

  function byShape(schema: Schema | boolean, path: string, depth: number): fc.Arbitrary<unknown> {
    if (typeof schema === 'boolean') return fc.jsonValue({ maxDepth: 1 })
    if (schema.$ref !== undefined) return byShape(resolve(schema.$ref), path, depth)
    if (schema.const !== undefined) return fc.constant(schema.const)
    if (schema.enum) return fc.constantFrom(...schema.enum)
    const options = schema.anyOf ?? schema.oneOf
    if (options)
      return depth > MAX_DEPTH ? fc.constant(null) : fc.oneof(...options.map((one) => byShape(one, path, depth)))
    switch (schema.type) {
      case 'null':
        return fc.constant(null)
      case 'boolean':
        return fc.boolean()
      case 'integer':
        return fc.integer({
          min: schema.minimum ?? Number.MIN_SAFE_INTEGER,
          max: schema.maximum ?? Number.MAX_SAFE_INTEGER,
        })
      case 'number':
        return fc.double({ min: schema.minimum ?? -1e9, max: schema.maximum ?? 1e9, noNaN: true })
      case 'string':
        return text(schema)
      case 'array':
        return list(schema, path, depth)
      case 'object':
        return object(schema, path, depth)
      default:
        return fc.jsonValue({ maxDepth: 1 })
    }
  }

  function list({ items, minItems = 0, maxItems = 3 }: Schema, path: string, depth: number): fc.Arbitrary<unknown> {
    if (depth > MAX_DEPTH || items === undefined || Array.isArray(items)) return fc.constant([])
    return fc.array(from(items, path, depth + 1), { minLength: minItems, maxLength: Math.min(maxItems, minItems + 2) })
  }

  function object(schema: Schema, path: string, depth: number): fc.Arbitrary<unknown> {
    const { properties = {}, required = [], additionalProperties } = schema
    const named = Object.fromEntries(
      Object.entries(properties).map(([name, one]) => [
        name,
        from(one, path === '' ? name : `${path}.${name}`, depth + 1),
      ]),
    )
    const optional = Object.keys(properties).filter((name) => !required.includes(name))
    const own = fc
      .tuple(fc.record(named, { requiredKeys: [...required] }), fc.subarray(optional))
      // Most objects have few optional fields. With all of them, nearly every object would be refused.
      .map(([value, kept]) => pick(value, [...required, ...kept]))
    if (additionalProperties === undefined || additionalProperties === false || depth > MAX_DEPTH) return own
    const others = fc.dictionary(hostileText, from(additionalProperties, path, depth + 1), { maxKeys: 2 })
    return fc.tuple(own, others).map(([value, more]) => ({ ...more, ...value }))
  }

  return { from }
}

const pick = (value: Readonly<Record<string, unknown>>, names: readonly string[]) =>
  Object.fromEntries(names.flatMap((name) => (name in value ? [[name, value[name]]] : [])))

function text({ pattern, format, minLength = 0, maxLength = 64 }: Schema): fc.Arbitrary<string> {
  if (pattern !== undefined) return matching(pattern) ?? fc.string({ minLength, maxLength: Math.min(maxLength, 64) })
  if (format === 'uuid') return fc.uuid()
  const least = Math.min(minLength, 64)
  return fc.string({ unit: 'grapheme', minLength: least, maxLength: Math.max(least, Math.min(maxLength, 64)) })
}

const patterns = new Map<string, fc.Arbitrary<string>>()

function matching(pattern: string): fc.Arbitrary<string> | undefined {
  try {
    // Parsing a pattern takes milliseconds, and most fields share a few patterns.
    const made = patterns.get(pattern) ?? fc.stringMatching(new RegExp(pattern, 'u'))
    patterns.set(pattern, made)
    return made
  } catch {
    // Plain texts match most patterns that fast-check cannot parse (classes of Unicode).
    return undefined
  }
}
