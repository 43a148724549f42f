import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as v from 'valibot'
import type { CheckResult } from './client.ts'
import { clients } from './clients.ts'
import { withTables } from './clients-table.ts'

const file = join(import.meta.dirname, 'results.json')
const page = join(import.meta.dirname, '../../docs/clients.md')

const resultsSchema = v.record(v.string(), v.object({ works: v.array(v.string()), fails: v.array(v.string()) }))

/** What worked and what did not, by the names of clients, when the results were recorded. */
export type RecordedResults = v.InferOutput<typeof resultsSchema>

export const readResults = (): RecordedResults => v.parse(resultsSchema, JSON.parse(readFileSync(file, 'utf8')))

const summaryOf = (checks: readonly CheckResult[]) => ({
  works: checks.filter(({ problems }) => problems.length === 0).map(({ name }) => name),
  fails: checks.filter(({ problems }) => problems.length > 0).map(({ name }) => name),
})

/** Writes the results of these clients, in the order of the document, and the tables of the document. */
export function recordResults(results: ReadonlyMap<string, readonly CheckResult[]>): void {
  const before = readResults()
  const after: Record<string, RecordedResults[string]> = {}
  for (const { name } of clients) {
    const checks = results.get(name)
    const summary = checks === undefined ? before[name] : summaryOf(checks)
    if (summary !== undefined) after[name] = summary
  }
  writeFileSync(file, `${JSON.stringify(after, null, 2)}\n`)
  writeFileSync(page, withTables(readFileSync(page, 'utf8'), after))
}

/** Compares results with the recorded ones. @returns the differences */
export function recordedDifferences(results: ReadonlyMap<string, readonly CheckResult[]>): readonly string[] {
  const recorded = readResults()
  return [...results].flatMap(([name, checks]) =>
    JSON.stringify(recorded[name]) === JSON.stringify(summaryOf(checks))
      ? []
      : [`${name}: differs from the recorded results. \`npm run clients -- ${name} --write\` records them.`],
  )
}
