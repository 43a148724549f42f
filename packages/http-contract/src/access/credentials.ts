import type { RequestHeaders } from '../exchange.ts'

/** The credentials in the `authorization` header of a request. */
export type Credentials =
  | { readonly type: 'none' }
  /** There are several headers, or one that cannot be read. */
  | { readonly type: 'malformed' }
  | { readonly type: 'bearer'; readonly token: string }
  | { readonly type: 'basic'; readonly username: string; readonly password: string }

const MAX_LENGTH = 4096

const BEARER = /^Bearer +([!-~]+) *$/i
const BASIC = /^Basic +([A-Za-z0-9+/]+={0,2}) *$/i

const noCredentials: Credentials = { type: 'none' }
const malformedCredentials: Credentials = { type: 'malformed' }

/**
 * Reads HTTP Basic, as UTF-8, or a Bearer token of visible ASCII, from the `authorization` header. Several such
 * headers, another scheme, and a header of more than 4,096 characters are malformed.
 */
export function credentialsOf({ authorization }: RequestHeaders): Credentials {
  if (authorization === undefined) return noCredentials
  if (typeof authorization !== 'string' || authorization.length > MAX_LENGTH) return malformedCredentials
  const token = BEARER.exec(authorization)?.[1]
  if (token !== undefined) return { type: 'bearer', token }
  const encoded = BASIC.exec(authorization)?.[1]
  return encoded === undefined ? malformedCredentials : basic(encoded)
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

function basic(encoded: string): Credentials {
  try {
    const text = decoder.decode(Uint8Array.from(atob(encoded), (character) => character.charCodeAt(0)))
    const colon = text.indexOf(':')
    if (colon < 0) return malformedCredentials
    return { type: 'basic', username: text.slice(0, colon), password: text.slice(colon + 1) }
  } catch {
    return malformedCredentials
  }
}
