import * as v from 'valibot'

const schemaSchema = v.looseObject({
  type: v.optional(v.union([v.string(), v.array(v.string())])),
  enum: v.optional(v.array(v.unknown())),
  const: v.optional(v.unknown()),
  anyOf: v.optional(v.array(v.unknown())),
  $ref: v.optional(v.string()),
  properties: v.optional(v.record(v.string(), v.unknown())),
  items: v.optional(v.unknown()),
})

/** What an upstream writes where any object in JSON is wanted. */
export const ANY_OBJECT = {
  type: 'object',
  properties: { city: { type: 'string' }, degrees: { type: 'number' } },
} as const

/** Returns a value that satisfies a plain JSON schema: texts are `Paris`, numbers are 7. */
export function sampleOf(schema: unknown, root: unknown = schema): unknown {
  const { type, enum: values, const: fixed, anyOf, $ref, properties, items } = v.parse(schemaSchema, schema)
  if ($ref !== undefined) return sampleOf(resolve(root, $ref), root)
  if (fixed !== undefined) return fixed
  if (values !== undefined) return values[0]
  if (anyOf?.[0] !== undefined) return sampleOf(anyOf[0], root)
  switch (typeof type === 'string' ? type : type?.[0]) {
    case 'string':
      return 'Paris'
    case 'number':
    case 'integer':
      return 7
    case 'boolean':
      return true
    case 'array':
      return items === undefined ? [] : [sampleOf(items, root)]
    case 'null':
      return null
    default:
      return Object.fromEntries(
        Object.entries(properties ?? ANY_OBJECT.properties).map(([name, value]) => [name, sampleOf(value, root)]),
      )
  }
}

function resolve(root: unknown, pointer: string): unknown {
  let found: unknown = root
  for (const key of pointer.split('/').slice(1)) found = v.parse(v.record(v.string(), v.unknown()), found)[key]
  return found
}
