import type { JsonObject } from '../dialects/dialect.ts'
import { spliceMembers } from '../dialects/requests/splice-members.ts'
import type { EndpointBody } from '../providers/provider.ts'
import type { EndpointTarget } from './endpoint-calls.ts'

/** A JSON body of a client. */
export interface JsonSource {
  readonly value: JsonObject
  /** The bytes that `value` was parsed from, where the transport has them. */
  readonly raw: Uint8Array | undefined
}

const encoder = new TextEncoder()

/**
 * Returns a function that encodes a body for an upstream: the client's own bytes with the upstream's `model`, without
 * the gateway's `timeout`. Of repeated members the last one is kept where anything changes, or the target requires it.
 *
 * @param more further top-level members to set, or to remove where `undefined`
 */
export function jsonBody({ value, raw }: JsonSource, more: JsonObject = {}) {
  return (model?: string, { isUnambiguous = false }: Pick<EndpointTarget, 'isUnambiguous'> = {}): EndpointBody => {
    const changes = new Map(Object.entries(more))
    if (model !== undefined && value.model !== model) changes.set('model', model)
    if (value.timeout !== undefined) changes.set('timeout', undefined)
    const changed = changes.size === 0 ? value : { ...value, ...Object.fromEntries(changes) }
    return {
      contentType: 'application/json',
      content: raw
        ? changeBytes(withoutByteOrderMark(raw), changes, Object.keys(value).length, isUnambiguous)
        : encoder.encode(JSON.stringify(changed)),
      value: changed,
    }
  }
}

const changeBytes = (
  raw: Uint8Array,
  changes: ReadonlyMap<string, unknown>,
  names: number,
  isUnambiguous: boolean,
): Uint8Array => (changes.size === 0 && !isUnambiguous ? raw : spliceMembers(raw, changes, names))

const withoutByteOrderMark = (json: Uint8Array): Uint8Array =>
  json[0] === 0xef && json[1] === 0xbb && json[2] === 0xbf ? json.subarray(3) : json
