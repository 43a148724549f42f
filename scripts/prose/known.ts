import { readFileSync, writeFileSync } from 'node:fs'
import type { Finding } from './finding.ts'
import { areaOf } from './prose-files.ts'

/** How many findings of a rule an area has. A rule without any has an empty entry. */
export type Counts = Readonly<Record<string, Readonly<Record<string, number>>>>

const KNOWN = 'scripts/prose/known.json'

export const readKnown = (): Counts => JSON.parse(readFileSync(KNOWN, 'utf8'))

export const writeKnown = (counts: Counts): void => writeFileSync(KNOWN, `${JSON.stringify(counts, null, 2)}\n`)

/** By rule and area, both in their order. */
export const countsOf = (rules: readonly string[], findings: readonly Finding[]): Counts =>
  Object.fromEntries(
    rules.toSorted().map((rule) => {
      const areas = findings.filter((finding) => finding.rule === rule).map(({ file }) => areaOf(file))
      const counts = Map.groupBy(areas.toSorted(), (area) => area)
      return [rule, Object.fromEntries([...counts].map(([area, same]) => [area, same.length]))]
    }),
  )

const total = (counts: Readonly<Record<string, number>>): number =>
  Object.values(counts).reduce((sum, count) => sum + count, 0)

/** The rules of which there is more than was known, all areas taken together. A rule that was not known is new. */
export const grown = (known: Counts, counts: Counts): readonly string[] =>
  Object.keys(counts).filter((rule) => known[rule] && total(counts[rule] ?? {}) > total(known[rule]))

/** Where a count is not what is known of it. */
export interface Difference {
  readonly rule: string
  readonly area: string
  readonly known: number
  readonly count: number
}

export const differences = (known: Counts, counts: Counts): readonly Difference[] =>
  [...new Set([...Object.keys(known), ...Object.keys(counts)])].flatMap((rule) =>
    [...new Set([...Object.keys(known[rule] ?? {}), ...Object.keys(counts[rule] ?? {})])]
      .map((area) => ({ rule, area, known: known[rule]?.[area] ?? 0, count: counts[rule]?.[area] ?? 0 }))
      .filter((difference) => difference.known !== difference.count),
  )
