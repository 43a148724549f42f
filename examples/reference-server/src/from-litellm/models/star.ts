/** Returns the text in the place of the star of a name; `undefined` where the name has none or does not match. */
export function matchOf(pattern: string, text: string): string | undefined {
  const star = pattern.indexOf('*')
  if (star < 0) return undefined
  const [start, end] = [pattern.slice(0, star), pattern.slice(star + 1)]
  if (text.length <= start.length + end.length || !text.startsWith(start) || !text.endsWith(end)) return undefined
  return text.slice(start.length, text.length - end.length)
}

export const hasStar = (text: string): boolean => text.includes('*')
