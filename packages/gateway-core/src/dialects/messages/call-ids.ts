const PLAIN = /^[a-zA-Z0-9_-]+$/
const PREFIX = 'enc_'

/**
 * Returns an id of a call in the characters that Anthropic accepts. The same id has always the same form, and
 * {@link decodedCallId} reverses it.
 */
export function encodedCallId(id: string): string {
  if (PLAIN.test(id) && !id.startsWith(PREFIX)) return id
  const encoded = id.replace(/[^a-zA-Z0-9-]/g, (unit) => `_${unit.charCodeAt(0).toString(16)}_`)
  return PREFIX + encoded
}

/** Returns the id that {@link encodedCallId} encoded, and any other one unchanged. */
export function decodedCallId(id: string): string {
  if (!id.startsWith(PREFIX)) return id
  return id
    .slice(PREFIX.length)
    .replace(/_([0-9a-f]{1,4})_/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
}
