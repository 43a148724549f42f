/** A pattern for `like … escape '!'`. */
export function likePattern(parts: readonly string[]): string {
  return parts.map((part) => part.replace(/[!%_]/g, '!$&')).join('%')
}
