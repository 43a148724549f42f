import { findingsOf } from './prose/findings.ts'
import { proseFiles } from './prose/prose-files.ts'

/**
 * `npm run lint:prose` checks the prose of the repository against docs/style.md, and exits with 1 where anything is found.
 * `npm run lint:prose -- PATH…` checks the files whose paths begin with one of these.
 */
const names = process.argv.slice(2)
const isNamed = (file: string): boolean => names.length === 0 || names.some((name) => file.startsWith(name))
const findings = (await findingsOf(proseFiles())).filter(({ file }) => isNamed(file))

for (const { file, line, rule, message } of findings) console.error(`${file}:${line} ${rule}: ${message}`)
if (findings.length > 0) {
  console.error(`${findings.length} passages are not worded as docs/style.md asks.`)
  process.exitCode = 1
}
