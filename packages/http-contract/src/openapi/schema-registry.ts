import { type JsonSchema, toJsonSchema } from '@valibot/to-json-schema'
import type { GenericSchema } from 'valibot'

/** Converts schemas to JSON Schema. A schema with a title is described once, under its title, and referenced. */
export interface SchemaRegistry {
  readonly convert: (schema: GenericSchema) => JsonSchema
  /** The same, but the outermost schema is described in place instead of referenced. */
  readonly expand: (schema: GenericSchema) => JsonSchema
  /** Returns the schemas with a title, by their names. */
  readonly namedSchemas: () => Readonly<Record<string, JsonSchema>>
}

export function createSchemaRegistry(): SchemaRegistry {
  const components = new Map<string, string>()
  const generated = new Map<GenericSchema, JsonSchema>()

  /** Equal descriptions share a name; a different one gets the next free name. */
  const register = (wanted: string, schema: JsonSchema): JsonSchema => {
    const text = JSON.stringify(schema)
    let name = wanted
    for (let count = 2; (components.get(name) ?? text) !== text; count += 1) name = `${wanted}${count}`
    components.set(name, text)
    return { $ref: `#/components/schemas/${name}` }
  }

  const hoist = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(hoist)
    if (typeof value !== 'object' || value === null) return value
    const hoisted = hoistMembers(value)
    return 'title' in value && typeof value.title === 'string' ? register(nameOf(value.title), hoisted) : hoisted
  }

  const hoistMembers = (schema: object): JsonSchema =>
    Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, dataKeys.has(key) ? value : hoist(value)]))

  const generate = (schema: GenericSchema): JsonSchema => {
    const known = generated.get(schema) ?? generateNew(schema)
    generated.set(schema, known)
    return known
  }

  const generateNew = (schema: GenericSchema): JsonSchema => {
    const { $schema, $defs, ...own } = toJsonSchema(schema, {
      target: 'draft-2020-12',
      typeMode: 'input',
      errorMode: 'ignore',
      overrideSchema: ({ valibotSchema }) => (isOfBigints(valibotSchema) ? integerOf64Bits : undefined),
    })
    if (!$defs) return own
    const renamed = renamerOf(Object.keys($defs), components)
    for (const [id, definition] of Object.entries(renamed.rewrite($defs))) {
      components.set(renamed.nameOf(id), JSON.stringify(definition))
    }
    return renamed.rewrite(own)
  }

  return {
    convert: (schema) => hoist(generate(schema)) as JsonSchema,
    expand: (schema) => hoistMembers(generate(schema)),
    namedSchemas: () =>
      Object.fromEntries(
        [...components].toSorted().map(([name, text]): [string, JsonSchema] => [name, JSON.parse(text)]),
      ),
  }
}

/** What a bigint is in JSON. */
const integerOf64Bits: JsonSchema = { type: 'integer', format: 'int64' }

/** Whether a schema is one of bigints alone, or of bigints and numbers. */
const isOfBigints = (schema: object): boolean =>
  'type' in schema &&
  (schema.type === 'bigint' ||
    (schema.type === 'union' &&
      'options' in schema &&
      Array.isArray(schema.options) &&
      schema.options.every(({ type }: { readonly type: string }) => type === 'bigint' || type === 'number') &&
      schema.options.some(({ type }: { readonly type: string }) => type === 'bigint')))

/** Keywords that hold values and not schemas. */
const dataKeys = new Set(['default', 'const', 'enum', 'examples'])

const nameOf = (title: string): string =>
  title
    .split(/[^A-Za-z0-9._-]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')

/** Renames the numbered definitions of one recursive schema so that they are unique in the document. */
function renamerOf(ids: readonly string[], taken: ReadonlyMap<string, unknown>) {
  const names = new Map<string, string>()
  let count = 1
  for (const id of ids) {
    while (taken.has(`Recursive${count}`)) count += 1
    names.set(id, `Recursive${count}`)
    count += 1
  }
  const target = (id: string) => names.get(id) ?? id
  return {
    nameOf: target,
    rewrite: <Value>(value: Value): Value =>
      JSON.parse(JSON.stringify(value), (key, inner: unknown) =>
        key === '$ref' && typeof inner === 'string' && inner.startsWith('#/$defs/')
          ? `#/components/schemas/${target(inner.slice('#/$defs/'.length))}`
          : inner,
      ),
  }
}
