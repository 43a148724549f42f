import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { drawCharts } from './performance/charts.ts'
import { readReports } from './performance/reports.ts'
import { writeTables } from './performance/tables.ts'

/** Writes the tables and charts of docs/performance.md from the reports of the benchmarks in docs/performance. */
const DOCUMENT = 'docs/performance.md'
const PICTURES = 'docs/pictures/performance'
const reports = readReports('docs/performance')

mkdirSync(PICTURES, { recursive: true })
for (const [name, picture] of drawCharts(reports)) writeFileSync(join(PICTURES, `${name}.svg`), picture)

let text = readFileSync(DOCUMENT, 'utf8')
for (const [place, table] of writeTables(reports)) {
  const [begin, end] = [`<!-- table: ${place} -->`, '<!-- end of table -->']
  const from = text.indexOf(begin)
  if (from < 0) throw new Error(`${DOCUMENT} has no place for ${place}`)
  const to = text.indexOf(end, from)
  text = `${text.slice(0, from + begin.length)}\n\n${table}\n\n${text.slice(to)}`
}
writeFileSync(DOCUMENT, text)
