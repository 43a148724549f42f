import type { JsonObject } from '../dialect.ts'
import { spliceMembers } from './splice-members.ts'

const encoder = new TextEncoder()

/**
 * Encodes a body with changes: in the client's own bytes where they are known.
 *
 * @param changes fields to set, or to remove where `undefined`
 */
export function encodeBody(
  body: JsonObject,
  raw: Uint8Array | undefined,
  changes: ReadonlyMap<string, unknown>,
): Uint8Array {
  if (!raw) return encoder.encode(JSON.stringify({ ...body, ...Object.fromEntries(changes) }))
  return changes.size === 0 ? raw : spliceMembers(raw, changes, Object.keys(body).length)
}

/** Clients may send the mark, but a sender of JSON must not (RFC 8259), and some upstreams refuse it. */
export const withoutByteOrderMark = (json: Uint8Array): Uint8Array =>
  json[0] === 0xef && json[1] === 0xbb && json[2] === 0xbf ? json.subarray(3) : json
