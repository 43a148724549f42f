import { Refusal } from '@trivium/emulation-core/ports'

/** Refuses the name of an image that no pattern allows. `*` in a pattern stands for any characters. */
export function requireAllowedImage(image: string, patterns: readonly string[]): void {
  if (patterns.some((pattern) => matches(image, pattern))) return
  throw new Refusal('not-allowed', `The image '${image}' is not one that labs on this server can use.`)
}

/** Looks for the parts of the pattern one after another, so that its time is bounded for any pattern. */
function matches(text: string, pattern: string): boolean {
  const [first = '', ...others] = pattern.split('*')
  if (others.length === 0) return text === pattern
  const last = others.pop() ?? ''
  if (!text.startsWith(first) || text.length < first.length + last.length || !text.endsWith(last)) return false
  const end = text.length - last.length
  let at = first.length
  for (const part of others) {
    const found = text.indexOf(part, at)
    if (found < 0 || found + part.length > end) return false
    at = found + part.length
  }
  return true
}
