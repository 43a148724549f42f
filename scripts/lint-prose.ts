import { relative } from 'node:path'
import { findingsOf } from './prose/findings.ts'
import { proseFiles } from './prose/prose-files.ts'

/**
 * `npm run lint:prose` checks the prose of the repository against docs/style.md, and exits with 1 where anything is found.
 * `npm run lint:prose -- PATH…` checks the files below these paths. It exits with 2 where none is there.
 */
const names = process.argv.slice(2).map((name) => relative('.', name))
const isBelow = (file: string, name: string): boolean => name === '' || file === name || file.startsWith(`${name}/`)
const files = proseFiles()
const absent = names.filter((name) => !files.some((file) => isBelow(file, name)))
for (const name of absent) console.error(`There is no checked file below "${name}".`)
if (absent.length > 0) process.exit(2)

const isNamed = (file: string): boolean => names.length === 0 || names.some((name) => isBelow(file, name))
const findings = (await findingsOf(files)).filter(({ file }) => isNamed(file))

for (const { file, line, rule, message } of findings) console.error(`${file}:${line} ${rule}: ${message}`)
if (findings.length > 0) {
  console.error(`${findings.length} passages are not worded as docs/style.md asks.`)
  process.exitCode = 1
}
