const PREFIX = 'whsec_'
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/
const NEW_SECRET_BYTES = 32
const LEAST_BYTES = 16
const MOST_BYTES = 64

/** Makes a secret of 256 random bits. */
export function newSecret(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(NEW_SECRET_BYTES))
  return `${PREFIX}${btoa(String.fromCharCode(...bytes))}`
}

/** Whether a text is `whsec_` and the Base64 of 16 to 64 bytes. */
export function isSecret(text: string): boolean {
  if (!text.startsWith(PREFIX)) return false
  const encoded = text.slice(PREFIX.length)
  if (encoded.length % 4 !== 0 || encoded.length > 4 * Math.ceil(MOST_BYTES / 3) || !BASE64.test(encoded)) return false
  const { length } = atob(encoded)
  return length >= LEAST_BYTES && length <= MOST_BYTES
}

/** The bytes of a secret, by which deliveries are signed. */
export const secretBytes = (secret: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(secret.slice(PREFIX.length)), (character) => character.charCodeAt(0))
