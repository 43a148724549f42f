import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import * as v from 'valibot'

const run = promisify(execFile)

/** Loads each specifier both ways, and prints differences, failures and the names of absent packages. */
const PROGRAM = `
import { createRequire } from 'node:module'
const require = createRequire(import.meta.url)
const report = {}
for (const specifier of process.argv.slice(2)) {
  try {
    const imported = await import(specifier)
    const required = require(specifier)
    const names = Object.keys(imported)
    const differing = [...new Set([...names, ...Object.keys(required)])].filter((name) => imported[name] !== required[name])
    report[specifier] = { names, problem: differing.length > 0 ? 'import and require differ in ' + differing : null }
  } catch (error) {
    const absent = /Cannot find package '([^']+)'/.exec(error.message)?.[1] ?? null
    report[specifier] = { names: [], absent, problem: String(error) }
  }
}
console.log(JSON.stringify(report))
`

const reportSchema = v.record(
  v.string(),
  v.object({ names: v.array(v.string()), absent: v.optional(v.nullable(v.string())), problem: v.nullable(v.string()) }),
)

/**
 * Loads the specifiers by `import` and by `require`, in a process of its own in the project.
 *
 * @param optional packages whose absence may prevent an entry from loading
 * @returns the problems, in sentences
 */
export async function checkLoading(
  directory: string,
  specifiers: readonly string[],
  optional: readonly string[],
): Promise<readonly string[]> {
  writeFileSync(join(directory, 'load.js'), PROGRAM)
  const { stdout } = await run(process.execPath, ['load.js', ...specifiers], { cwd: directory })
  const report = v.parse(reportSchema, JSON.parse(stdout))
  return Object.entries(report).flatMap(([specifier, { names, absent, problem }]) => {
    if (absent && optional.includes(absent)) return []
    if (problem !== null) return [`${specifier} does not load: ${problem}`]
    return names.length > 0 || isThread(specifier) ? [] : [`${specifier} exports nothing`]
  })
}

/** Whether an entry is what a thread runs, and not imported. */
const isThread = (specifier: string): boolean => specifier.endsWith('-worker')
