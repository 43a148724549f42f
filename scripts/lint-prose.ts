import { changedLines, isChanged } from './prose/changed-lines.ts'
import { titleRules } from './prose/find-poor-titles.ts'
import type { Finding } from './prose/finding.ts'
import { findingsOf } from './prose/findings.ts'
import { countsOf, type Difference, differences, grown, readKnown, writeKnown } from './prose/known.ts'
import { areaOf, proseFiles } from './prose/prose-files.ts'
import { terms } from './prose/terms.ts'

/**
 * `npm run lint:prose` checks the prose of the repository against docs/style.md. `--update` lowers the counts of what is
 * known to be wrong. `--all PATH…` lists all of that in the files whose paths begin so.
 */
const UPDATE = 'npm run lint:prose -- --update'
const MOST = 20

const say = (line: string): void => console.error(line)
const show = ({ file, line, rule, message }: Finding): void => say(`  ${file}:${line} ${rule}: ${message}`)

function showMore(difference: Difference, findings: readonly Finding[]): void {
  const { rule, area, known, count } = difference
  say(`${area} has ${count} of ${rule}, and may have ${known}:`)
  const all = findings.filter((finding) => finding.rule === rule && areaOf(finding.file) === area)
  const lines = changedLines()
  const changed = all.filter((finding) => isChanged(lines, finding))
  for (const finding of (changed.length > 0 ? changed : all).slice(0, MOST)) show(finding)
  if (changed.length === 0) say('  No line that this branch changed is among them: these are all, or the first 20.')
}

const [mode, ...names] = process.argv.slice(2)
const findings = await findingsOf(proseFiles())
const counts = countsOf([...terms.map(({ rule }) => rule), ...titleRules, 'spelling'], findings)
const known = readKnown()
const different = differences(known, counts)

if (mode === '--all') {
  for (const finding of findings) if (names.some((name) => finding.file.startsWith(name))) show(finding)
} else if (mode === '--update') {
  const rules = grown(known, counts)
  for (const difference of different) {
    if (rules.includes(difference.rule) && difference.count > difference.known) showMore(difference, findings)
  }
  if (rules.length > 0) {
    say(`Nothing is written: there is more of ${rules.join(', ')} than before. Mend what is new.`)
    process.exitCode = 1
  } else writeKnown(counts)
} else {
  const more = different.filter(({ known, count }) => count > known)
  const fewer = different.filter(({ known, count }) => count < known)
  for (const difference of more) showMore(difference, findings)
  for (const { rule, area, known, count } of fewer) say(`${area} has ${count} of ${rule}, and ${known} are listed.`)
  if (more.length > 0)
    say(`Write it as docs/style.md has it. Where text only moved between packages, run \`${UPDATE}\`.`)
  else if (fewer.length > 0) say(`There is less to mend than before: run \`${UPDATE}\` and commit the list.`)
  if (different.length > 0) process.exitCode = 1
}
