import { isObject } from '../chat/is-object.ts'
import type { JsonObject } from '../dialects/dialect.ts'
import { listOr, objectsOf } from '../dialects/json-values.ts'
import { jsonLength } from '../dialects/requests/json-length.ts'
import type { CachedOperation } from './cache-key.ts'

/** The most bytes of a request that is cached. */
export const MOST_REQUEST_BYTES = 2 ** 20

/** Members by which an upstream searches, calls tools or reads what it has stored, in the words of several upstreams. */
const acting: readonly string[] = [
  'web_search_options',
  'search_parameters',
  'enable_search',
  'plugins',
  'mcp_servers',
  'container',
  'background',
  'previous_response_id',
  'conversation',
  'prompt',
]

/** Tools whose calls the client executes. An absent type is that of Anthropic's own tools of clients. */
const clientTools: ReadonlySet<unknown> = new Set([undefined, 'function', 'custom'])

/**
 * Returns whether the answer to a request may be stored and used again. It must not where the request has an effect beyond its
 * answer, or the answer depends on more than the request: tools that upstreams or the gateway execute, what an upstream or
 * the gateway has stored, and audio, which expires.
 *
 * @param raw the bytes of `body`, where they are known
 */
export function isCacheable(operation: CachedOperation, body: JsonObject, raw: Uint8Array | undefined): boolean {
  if (operation !== 'embeddings') {
    if (acting.some((name) => isGiven(body[name]))) return false
    if (!listOr(body.tools).every((tool) => isObject(tool) && clientTools.has(tool.type))) return false
    if (operation === 'chat' && (body.store === true || isGiven(body.audio))) return false
    if (operation === 'responses' && (body.store !== false || refersToItems(body.input))) return false
  }
  return (raw?.length ?? jsonLength(body)) <= MOST_REQUEST_BYTES
}

const isGiven = (value: unknown): boolean => value !== undefined && value !== null && value !== false

const refersToItems = (input: unknown): boolean => objectsOf(input).some(({ type }) => type === 'item_reference')
