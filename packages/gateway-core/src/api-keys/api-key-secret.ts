import type { ApiKeyHash } from './api-key.ts'

/** 256 bits in base64url. */
const RANDOM_LENGTH = 43

const HINT_LENGTH = 4

/** @param prefix the beginning of all secrets, by which people and scanners recognise them */
export function newSecret(prefix: string): string {
  const bytes = crypto.getRandomValues(new Uint8Array(32))
  return prefix + base64Url(bytes)
}

export const hasSecretForm = (text: string | undefined, prefix: string): text is string =>
  typeof text === 'string' &&
  text.length === prefix.length + RANDOM_LENGTH &&
  text.startsWith(prefix) &&
  !/[^A-Za-z0-9_-]/.test(text)

export const hintOf = (secret: string, prefix: string): string => secret.slice(0, prefix.length + HINT_LENGTH)

const encoder = new TextEncoder()

export async function hashSecret(secret: string): Promise<ApiKeyHash> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', encoder.encode(secret)))
  return hexadecimal(digest) as ApiKeyHash // made by the rule above
}

/** Compares in constant time: the position of the first difference does not change it. */
export function hashesEqual(one: ApiKeyHash, other: ApiKeyHash): boolean {
  let difference = one.length ^ other.length
  for (let index = 0; index < one.length; index += 1) difference |= one.charCodeAt(index) ^ other.charCodeAt(index)
  return difference === 0
}

/** Derives a name-based UUID (version 8 of RFC 9562), so that every replica gives a username the same id. */
export async function userIdOf(username: string): Promise<string> {
  const input = encoder.encode(`trivium gateway user:${username}`)
  const bytes = new Uint8Array(await crypto.subtle.digest('SHA-256', input)).subarray(0, 16)
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x80
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  return hexadecimal(bytes).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}

/** Whether a text has the form of a {@link userIdOf}, in any case. */
export const isUserId = (text: string): boolean =>
  /^[\da-f]{8}-[\da-f]{4}-8[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/i.test(text)

const hexadecimal = (bytes: Uint8Array): string => [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')

const base64Url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '')
