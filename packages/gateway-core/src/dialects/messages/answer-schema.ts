import { isObject } from '../../chat/is-object.ts'
import type { JsonObject } from '../dialect.ts'
import { listOr, textOr } from '../json-values.ts'

/**
 * Returns a JSON schema in the keywords that Anthropic enforces. Other keywords, such as `minimum`, move to the
 * `description`, where the model reads them. `undefined` where objects may have any members, or the schema is recursive:
 * Anthropic cannot enforce such a schema.
 */
export function enforceableSchema(schema: JsonObject): JsonObject | undefined {
  if (!isClosed(schema) || isRecursive(schema)) return undefined
  return enforceable(schema)
}

const moved: ReadonlySet<string> = new Set(
  (
    'minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minLength maxLength maxItems uniqueItems contains ' +
    'minContains maxContains minProperties maxProperties propertyNames patternProperties if then else not ' +
    'dependentRequired dependentSchemas unevaluatedProperties unevaluatedItems contentEncoding contentMediaType'
  ).split(' '),
)

const formats: ReadonlySet<unknown> = new Set([
  'date-time',
  'time',
  'date',
  'duration',
  'email',
  'hostname',
  'uri',
  'ipv4',
  'ipv6',
  'uuid',
])

function isMoved(name: string, value: unknown): boolean {
  if (name === 'minItems') return typeof value !== 'number' || value > 1
  if (name === 'format') return !formats.has(value)
  if (name === 'pattern') return /\(\?|\\[bB1-9]/.test(textOr(value))
  return moved.has(name)
}

const namedSchemas: ReadonlySet<string> = new Set(['properties', '$defs', 'definitions'])
const listedSchemas: ReadonlySet<string> = new Set(['anyOf', 'allOf', 'oneOf', 'prefixItems'])

function enforceable(schema: JsonObject): JsonObject
function enforceable(schema: unknown): unknown
function enforceable(schema: unknown): unknown {
  if (!isObject(schema)) return schema
  const entries = Object.entries(schema)
  const notes = entries.filter(([name, value]) => isMoved(name, value))
  const kept = entries
    .filter(([name, value]) => !isMoved(name, value) && name !== '$schema')
    .map(([name, value]) => [name === 'oneOf' ? 'anyOf' : name, inner(name, value)] as const)
  const said = [
    ...(typeof schema.description === 'string' ? [schema.description] : []),
    ...notes.map(([name, value]) => `${name}: ${JSON.stringify(value)}`),
  ]
  return {
    ...Object.fromEntries(kept),
    ...(isObjectSchema(schema) ? { additionalProperties: false } : {}),
    ...(notes.length > 0 ? { description: said.join('\n') } : {}),
  }
}

function inner(name: string, value: unknown): unknown {
  if (namedSchemas.has(name) && isObject(value)) {
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, enforceable(member)]))
  }
  if (listedSchemas.has(name)) return listOr(value).map((member) => enforceable(member))
  return name === 'items' ? enforceable(value) : value
}

const isObjectSchema = ({ type, properties }: JsonObject): boolean =>
  type === 'object' || (Array.isArray(type) && type.includes('object')) || isObject(properties)

/** Returns whether every object of a schema names its members. */
function isClosed(schema: unknown): boolean {
  if (!isObject(schema)) return true
  const { additionalProperties, properties } = schema
  if (additionalProperties !== undefined && additionalProperties !== false) return false
  if (isObjectSchema(schema) && !isObject(properties) && additionalProperties !== false) return false
  return members(schema).every(isClosed)
}

function members(schema: JsonObject): readonly unknown[] {
  return Object.entries(schema).flatMap(([name, value]) => {
    if (namedSchemas.has(name)) return isObject(value) ? Object.values(value) : []
    if (listedSchemas.has(name)) return listOr(value)
    return name === 'items' ? [value] : []
  })
}

/** Returns whether a definition refers to itself, also through others, or to another document. */
function isRecursive(schema: JsonObject): boolean {
  const definitions = new Map<string, readonly string[]>()
  for (const name of ['$defs', 'definitions']) {
    const named = schema[name]
    if (!isObject(named)) continue
    for (const [key, value] of Object.entries(named)) definitions.set(`#/${name}/${key}`, referencesIn(value))
  }
  if (referencesIn(schema).some((reference) => !definitions.has(reference))) return true
  const finished = new Set<string>()
  const active = new Set<string>()
  const leadsBack = (name: string): boolean => {
    if (active.has(name)) return true
    if (finished.has(name)) return false
    active.add(name)
    const isLoop = active.size > MAX_CHAIN || (definitions.get(name) ?? []).some(leadsBack)
    active.delete(name)
    finished.add(name)
    return isLoop
  }
  return [...definitions.keys()].some(leadsBack)
}

/** The longest chain of definitions. */
const MAX_CHAIN = 256

function referencesIn(schema: unknown): readonly string[] {
  if (!isObject(schema)) return []
  return [...(typeof schema.$ref === 'string' ? [schema.$ref] : []), ...members(schema).flatMap(referencesIn)]
}
