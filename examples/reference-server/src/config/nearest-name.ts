/** The largest number of different letters for which a name is suggested. */
const MAX_DIFFERENCE = 3

/** The fewest letters that suggest the names which begin with them. */
const LEAST_BEGINNING = 2

/** The most names that are compared. */
const MAX_COMPARED = 500

/**
 * Returns the known name with the fewest different letters, or where many differ, the shortest that begins with `name`;
 * `undefined` where none is similar.
 */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  const most = Math.min(MAX_DIFFERENCE, Math.floor(name.length / 2))
  const [best] = known
    .filter((candidate) => Math.abs(candidate.length - name.length) <= most)
    .slice(0, MAX_COMPARED)
    .map((candidate) => ({ candidate, difference: differenceOf(name, candidate) }))
    .sort((one, other) => one.difference - other.difference)
  if (best && best.difference <= most) return best.candidate
  if (name.length < LEAST_BEGINNING) return undefined
  const [shortest] = known
    .filter((candidate) => candidate.startsWith(name))
    .sort((one, other) => one.length - other.length)
  return shortest
}

/** Returns the end of a sentence that suggests the nearest name; without one, the sentence ends. */
export function suggestion(name: string, known: readonly string[]): string {
  const nearest = nearestName(name, known)
  return nearest === undefined ? '.' : `. Did you mean ${nearest}?`
}

/** The most letters that are compared. */
const MAX_LENGTH = 50

/** Counts the letters that must be inserted, removed or changed (the Levenshtein distance). */
function differenceOf(one: string, other: string): number {
  if (one.length > MAX_LENGTH) return MAX_LENGTH
  let row = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (const [at, letter] of [...one].entries()) {
    const next = [at + 1]
    for (const [index, wanted] of [...other].entries()) {
      const changed = (row[index] ?? 0) + (letter === wanted ? 0 : 1)
      next.push(Math.min(changed, (row[index + 1] ?? 0) + 1, (next[index] ?? 0) + 1))
    }
    row = next
  }
  return row.at(-1) ?? 0
}
