const LENGTH = 300

/** Returns about 300 characters of a text around the first term in it, cut between words. @param terms in lower case */
export function excerpt(text: string, terms: readonly string[]): string {
  const line = text.replace(/\s+/g, ' ').trim()
  if (line.length <= LENGTH) return line
  const lower = line.toLowerCase()
  const places = terms.map((term) => lower.indexOf(term)).filter((place) => place >= 0)
  const first = places.length > 0 ? Math.min(...places) : 0
  const wanted = Math.max(0, Math.min(first - LENGTH / 4, line.length - LENGTH))
  const start = wanted === 0 ? 0 : line.indexOf(' ', wanted) + 1
  const last = line.lastIndexOf(' ', start + LENGTH)
  const end = start + LENGTH >= line.length ? line.length : last > start ? last : start + LENGTH
  return `${start > 0 ? '… ' : ''}${line.slice(start, end)}${end < line.length ? ' …' : ''}`
}
