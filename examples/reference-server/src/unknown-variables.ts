import { settingNames } from './settings.ts'

const known: ReadonlySet<string> = new Set([
  ...settingNames,
  'TRIVIUM_CONFIG',
  // The tests read these.
  ...['TRIVIUM_REQUIRE_SERVICES', 'TRIVIUM_TESTS'],
])

/** The largest number of different letters for which a setting is suggested. */
const MAX_DIFFERENCE = 3

/** Returns a warning for each variable that begins with `TRIVIUM_` and is not a setting, without its value. */
export function unknownVariables(environment: NodeJS.ProcessEnv): readonly string[] {
  return Object.keys(environment)
    .filter((name) => name.startsWith('TRIVIUM_') && !known.has(name))
    .sort()
    .map((name) => {
      const meant = nearest(name)
      return `Warning: ${name} is not a setting and has no effect. ${meant === undefined ? '--help lists all settings.' : `Did you mean ${meant}?`}`
    })
}

function nearest(name: string): string | undefined {
  const [best] = settingNames
    .map((setting) => ({ setting, difference: differenceOf(name, setting) }))
    .sort((a, b) => a.difference - b.difference)
  return best && best.difference <= MAX_DIFFERENCE ? best.setting : undefined
}

/** Counts the letters that must be inserted, removed or changed (the Levenshtein distance). */
function differenceOf(one: string, other: string): number {
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
