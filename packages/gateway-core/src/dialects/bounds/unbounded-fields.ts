import type { Dialect, JsonObject } from '../dialect.ts'
import { listOr, objectsOf } from '../json-values.ts'

/** Fields that have an upstream do what no price or no bound is known of. */
const fields = [
  // A stored prompt may bring tools and content.
  'prompt',
  // Extensions, data and searches of upstreams.
  'plugins',
  'connectors',
  'data_sources',
  'search_parameters',
  'enable_search',
  'search_options',
  'container',
  // Another model, or a dearer provider of it.
  'models',
  'fallbacks',
  'route',
  'provider',
] as const

/** Values that cost no more than usual, where others may. */
const usual: Readonly<Record<string, ReadonlySet<unknown>>> = {
  service_tier: new Set(['auto', 'default', 'flex', 'standard', 'standard_only', 'on_demand']),
  speed: new Set(['standard', 'normal']),
  inference_geo: new Set(['global', 'not_available']),
}

/** Returns the field of a request whose cost has no bound. `undefined` without one. */
export function unboundedField(dialect: Dialect, body: JsonObject): string | undefined {
  const named = fields.find((name) => isSet(body[name]))
  if (named !== undefined) return named
  const hasFactor = dialect !== 'messages' && body.service_tier === 'priority'
  const unusual = Object.keys(usual).find((name) => isSet(body[name]) && !usual[name]?.has(body[name]))
  if (unusual !== undefined && !(unusual === 'service_tier' && hasFactor)) return unusual
  if (compacts(body.context_management)) return 'context_management'
  const { web_search_options: options } = body
  return objectsOf([options]).some(({ search_type: type }) => isSet(type) && type !== 'fast')
    ? 'web_search_options.search_type'
    : undefined
}

const isSet = (value: unknown): boolean =>
  value !== undefined && value !== null && value !== false && !(Array.isArray(value) && value.length === 0)

/** A compaction is a further call of the model. Edits that only clear are not. */
function compacts(management: unknown): boolean {
  const edits = [...objectsOf(management), ...objectsOf([management]).flatMap((one) => objectsOf(listOr(one.edits)))]
  return edits.some(({ type }) => typeof type === 'string' && type.startsWith('compact'))
}
