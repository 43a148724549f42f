/** Returns a pattern for `like … escape '!'` that has any characters between the parts. */
export function likePattern(parts: readonly string[]): string {
  return parts.map((part) => part.replace(/[!%_]/g, '!$&')).join('%')
}
