import type { Finding, ReportLine } from './ledger.ts'

/** What counts each finding, in the last line. */
const counted: readonly (readonly [finding: Finding, text: string])[] = [
  ['left out', 'left out'],
  ['to do', 'to do'],
  ['differs', 'translated with a difference'],
  ['not needed', 'not needed'],
]

/** Writes the report, one line for each key and a summary. */
export function reportText(lines: readonly ReportLine[]): string {
  const written = lines.map(
    ({ file, line, path, finding, text }) => `${file}:${line}: ${finding}: ${path === '' ? '' : `${path}: `}${text}`,
  )
  const counts = counted.flatMap(([finding, text]) => {
    const count = lines.filter((line) => line.finding === finding).length
    return count === 0 ? [] : [`${count} ${text}`]
  })
  const summary =
    counts.length === 0 ? 'All keys are translated.' : `Keys: ${counts.join(', ')}. All others are translated.`
  return [...written, summary, ''].join('\n')
}
