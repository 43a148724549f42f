import type { JsonSchema } from '@valibot/to-json-schema'
import type { GenericSchema } from 'valibot'
import { parseTemplate } from '../path-template.ts'
import type { OpenApiParameter } from './open-api-document.ts'
import type { SchemaRegistry } from './schema-registry.ts'

export interface Parameterised {
  readonly path: string
  readonly params?: GenericSchema
  readonly query?: GenericSchema
  readonly headers?: GenericSchema
  readonly requestHeaders?: Readonly<Record<string, string>>
}

/** Converts `{name+}` to `{name}`, because OpenAPI has no parameters with slashes. */
export const toOpenApiPath = (path: string): string => path.replaceAll('+}', '}')

export function describeParameters(operation: Parameterised, registry: SchemaRegistry): readonly OpenApiParameter[] {
  const { path, params, query, headers, requestHeaders = {} } = operation
  const segments = params ? membersOf(registry.expand(params)) : none
  return [
    ...parseTemplate(path).names.map((name): OpenApiParameter => {
      const schema = segments.members.get(name)?.schema ?? { type: 'string' }
      return { name, in: 'path', required: true, ...describe(schema), schema }
    }),
    ...(query ? listed('query', loosened(query, registry.expand(query))) : []),
    ...(headers ? listed('header', registry.expand(headers)) : []),
    ...Object.entries(requestHeaders).map(
      ([name, description]): OpenApiParameter => ({
        name,
        in: 'header',
        required: false,
        description,
        schema: { type: 'string' },
      }),
    ),
  ]
}

// The conversion does not distinguish an object that accepts other members from one that drops them.
const loosened = ({ type }: GenericSchema, schema: JsonSchema): JsonSchema =>
  type === 'loose_object' ? { ...schema, additionalProperties: true } : schema

/** Headers that OpenAPI describes in other ways than as a parameter. */
const notParameters = new Set(['accept', 'content-type', 'authorization'])

function listed(place: 'query' | 'header', schema: JsonSchema): readonly OpenApiParameter[] {
  const { members, rest } = membersOf(schema)
  const named = [...members]
    .filter(([name]) => place === 'query' || !notParameters.has(name))
    .map(([name, { schema, required }]) => ({ name, in: place, required, ...describe(schema), schema }))
  if (place === 'header' || rest === undefined) return named
  const free: OpenApiParameter = {
    name: 'parameters',
    in: 'query',
    required: false,
    description: 'Any other parameter, by its own name',
    style: 'form',
    explode: true,
    schema: { type: 'object', additionalProperties: rest },
  }
  return [...named, free]
}

const describe = (schema: JsonSchema): { readonly description?: string } =>
  schema.description === undefined ? {} : { description: schema.description }

interface Members {
  readonly members: ReadonlyMap<string, { readonly schema: JsonSchema; readonly required: boolean }>
  /** The schema of members with other names, if there may be any. */
  readonly rest: JsonSchema | undefined
}

const none: Members = { members: new Map(), rest: undefined }

/** Collects the members of an object, of all parts of an intersection, and of any part of a union. */
function membersOf(schema: JsonSchema | boolean): Members {
  if (typeof schema === 'boolean') return none
  const { properties = {}, required = [], additionalProperties, allOf = [], anyOf = [], oneOf = [] } = schema
  const members = new Map<string, { schema: JsonSchema; required: boolean }>()
  let rest = restOf(additionalProperties)
  for (const [name, property] of Object.entries(properties)) {
    members.set(name, { schema: typeof property === 'boolean' ? {} : property, required: required.includes(name) })
  }
  for (const part of allOf.map(membersOf)) {
    for (const [name, member] of part.members) members.set(name, member)
    rest ??= part.rest
  }
  for (const part of [...anyOf, ...oneOf].map(membersOf)) {
    for (const [name, { schema }] of part.members)
      if (!members.has(name)) members.set(name, { schema, required: false })
    rest ??= part.rest
  }
  return { members, rest }
}

function restOf(additional: JsonSchema['additionalProperties']): JsonSchema | undefined {
  if (additional === undefined || additional === false) return undefined
  return additional === true ? {} : additional
}
