/** Returns whether the name of a route has a star, which stands for any characters. */
export const isPattern = (name: string): boolean => name.includes('*')

/** Returns the text in the place of the star of a pattern; `undefined` where an id does not match it. */
export function restOf(pattern: string, id: string): string | undefined {
  const star = pattern.indexOf('*')
  const [start, end] = [pattern.slice(0, star), pattern.slice(star + 1)]
  if (id.length <= start.length + end.length || !id.startsWith(start) || !id.endsWith(end)) return undefined
  return id.slice(start.length, id.length - end.length)
}
