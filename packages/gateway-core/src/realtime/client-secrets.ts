import { err, ok, type Result, ResultAsync } from 'neverthrow'
import type { ApiKey, ApiKeyId } from '../api-keys/api-key.ts'
import type { ApiKeyRefusal, ApiKeys } from '../api-keys/api-keys.ts'
import { isObject } from '../chat/is-object.ts'
import { parseJson } from '../chat/parse-json.ts'

/** A secret for the page of an end user, in place of the API key. */
export interface ClientSecret {
  /** `ek_` and at most 3,500 characters. It contains the session, which its bearer can read. */
  readonly value: string
  readonly expiresAt: Date
}

/** What a client secret allows: sessions of one key with one model, until it expires. */
export interface GrantedSession {
  readonly key: ApiKey
  readonly model: string
  /** The event that configures the session. Sent before the first message of the client. */
  readonly session: Readonly<Record<string, unknown>>
}

/** Creates and checks secrets for realtime sessions. They are signed, not stored: every replica can check them. */
export interface ClientSecrets {
  /** @returns `undefined` where the secret would be longer than 3,500 characters */
  create(key: ApiKey, session: Readonly<Record<string, unknown>>, seconds: number): Promise<ClientSecret | undefined>
  /** A secret ends with its key: when that is revoked, rotated or expired. */
  check(value: string): ResultAsync<GrantedSession, ApiKeyRefusal>
}

/** The beginning of all client secrets, as OpenAI's have it. */
export const CLIENT_SECRET_PREFIX = 'ek_'

const MAX_LENGTH = 3_500
const FORM = /^ek_([\w-]{1,3500})\.([\w-]{43})$/

const unknownSecret: ApiKeyRefusal = { type: 'api-key-unknown' }

export function createClientSecrets(apiKeys: Pick<ApiKeys, 'check'>, now: () => Date): ClientSecrets {
  const check = async (value: string): Promise<Result<GrantedSession, ApiKeyRefusal>> => {
    const [, payload, signature] = value.length <= MAX_LENGTH ? (FORM.exec(value) ?? []) : []
    if (payload === undefined || signature === undefined) return err({ type: 'api-key-malformed' })
    const claims = claimsOf(payload)
    if (!claims || claims.expires * 1000 <= now().getTime()) return err(unknownSecret)
    const key = await apiKeys.check(claims.key)
    if (key.isErr()) return err(key.error)
    const expected = await sign(key.value, payload, 'verify', signature)
    if (expected !== true) return err(unknownSecret)
    return ok({ key: key.value, model: claims.model, session: claims.session })
  }

  return {
    create: async (key, session, seconds) => {
      const expires = Math.floor(now().getTime() / 1000) + seconds
      const payload = toBase64Url(encoder.encode(JSON.stringify({ k: key.id, e: expires, s: session })))
      if (payload.length + CLIENT_SECRET_PREFIX.length + 44 > MAX_LENGTH) return undefined
      const signature = await sign(key, payload, 'sign')
      return { value: `${CLIENT_SECRET_PREFIX}${payload}.${signature}`, expiresAt: new Date(expires * 1000) }
    },
    check: (value) => new ResultAsync(check(value)),
  }
}

interface Claims {
  readonly key: ApiKeyId
  readonly expires: number
  readonly model: string
  readonly session: Readonly<Record<string, unknown>>
}

function claimsOf(payload: string): Claims | undefined {
  const bytes = fromBase64Url(payload)
  const claims = bytes && parseJson(new TextDecoder().decode(bytes))
  if (!isObject(claims) || typeof claims.k !== 'string' || typeof claims.e !== 'number' || !isObject(claims.s)) {
    return undefined
  }
  const { model } = claims.s
  if (typeof model !== 'string') return undefined
  return { key: claims.k as ApiKeyId, expires: claims.e, model, session: claims.s } // checked by the signature
}

const encoder = new TextEncoder()

/** Signs with the hash of the key's secret, which only the gateway's replicas know. */
async function sign(key: ApiKey, payload: string, use: 'sign'): Promise<string>
async function sign(key: ApiKey, payload: string, use: 'verify', signature: string): Promise<boolean>
async function sign(
  { hash }: ApiKey,
  payload: string,
  use: 'sign' | 'verify',
  signature = '',
): Promise<string | boolean> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  const secret = encoder.encode(`trivium realtime:${hash}`)
  const imported = await crypto.subtle.importKey('raw', secret, algorithm, false, [use])
  const text = encoder.encode(payload)
  if (use === 'sign') return toBase64Url(new Uint8Array(await crypto.subtle.sign('HMAC', imported, text)))
  const given = fromBase64Url(signature)
  return given !== undefined && crypto.subtle.verify('HMAC', imported, given, text)
}

const toBase64Url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '')

function fromBase64Url(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (char) => char.charCodeAt(0))
  } catch {
    return undefined
  }
}
