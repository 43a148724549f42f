/** The first version that accepts several connections to its console and can run a single PC. */
export const OLDEST_VERSION = '0.5b1'

/** Reads `Welcome to Virtual PC Simulator, version 0.5b2`. `undefined` for any other text. */
export const parseVpcsVersion = (output: string): string | undefined =>
  /Welcome to Virtual PC Simulator, version ([0-9a-z.]+)/.exec(output)?.[1]

/** Compares versions such as `0.5b1`, `0.5` and `0.8.3`. A beta comes before its release. */
export function compareVersions(one: string, other: string): number {
  const [left, right] = [partsOf(one), partsOf(other)]
  for (let at = 0; at < Math.max(left.length, right.length); at += 1) {
    const [a, b] = [left[at] ?? 0, right[at] ?? 0]
    if (a !== b) return a < b ? -1 : 1
  }
  return 0
}

/** The parts as numbers. Letters are negative: `0.5b2` is 0, 5, -1, 2. */
const partsOf = (version: string): readonly number[] =>
  [...version.matchAll(/\d+|[a-z]+/g)].map(([part]) => (/\d/.test(part) ? Number(part) : part === 'b' ? -1 : -2))
