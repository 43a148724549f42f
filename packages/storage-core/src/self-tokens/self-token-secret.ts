const PREFIX = 'tself_'
const SECRET_BYTES = 32
const FORM = /^tself_[A-Za-z0-9_-]{43}$/

/** Makes a secret of 256 random bits. */
export function newSelfSecret(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(SECRET_BYTES))
  const text = btoa(String.fromCharCode(...bytes))
  return `${PREFIX}${text.replaceAll('+', '-').replaceAll('/', '_').replace('=', '')}`
}

/** Whether a text is presented as the secret of a token. */
export const isSelfSecret = (text: string): boolean => FORM.test(text)

/** Returns the SHA-256 of a secret in hexadecimal digits. */
export async function hashOfSecret(secret: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(secret))
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
