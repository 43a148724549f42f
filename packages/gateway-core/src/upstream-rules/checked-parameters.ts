import { isObject } from '../chat/is-object.ts'
import type { JsonObject } from '../dialects/dialect.ts'
import type { UpstreamParameters } from './upstream-rules.ts'

/** Fields that are the request itself, or that would make it cost more than was reserved for it. */
const own: ReadonlySet<string> = new Set([
  'best_of',
  'conversation',
  'input',
  'messages',
  'model',
  'n',
  'previous_response_id',
  'stream',
  'stream_options',
  'system',
  'timeout',
  'tools',
  'web_search_options',
])

/** Whether `parameters` of `upstreams` accepts a field: those that are the request itself are refused. */
export const isDefaultParameter = (name: string): boolean => !own.has(name)

const MOST = 100
const dialects = ['chat', 'responses', 'messages'] as const

/** @throws TypeError for a protocol that does not exist, and a field that cannot be set */
export function checkedParameters(path: string, parameters: UpstreamParameters | undefined): void {
  if (parameters === undefined) return
  for (const [dialect, fields] of Object.entries<unknown>(parameters)) {
    if (!dialects.some((known) => known === dialect)) throw new TypeError(`'${path}' has no protocol '${dialect}'.`)
    if (!isObject(fields) || Object.keys(fields).length > MOST) {
      throw new TypeError(`'${path}.${dialect}' must be an object with at most ${MOST} fields.`)
    }
    const refused = Object.keys(fields).find((name) => !isDefaultParameter(name))
    if (refused) throw new TypeError(`'${path}.${dialect}' cannot set '${refused}'.`)
  }
}

/** Names of one field. A default for one is not added where the client set another. */
const alike: readonly (readonly string[])[] = [['max_tokens', 'max_completion_tokens']]

/** Returns the defaults that a body does not have. `undefined` where it has them all. */
export function absentDefaults(body: JsonObject, defaults: JsonObject): JsonObject | undefined {
  const absent = Object.entries(defaults).filter(([name]) => namesOf(name).every((each) => body[each] === undefined))
  return absent.length === 0 ? undefined : Object.fromEntries(absent)
}

const namesOf = (name: string): readonly string[] => alike.find((names) => names.includes(name)) ?? [name]
