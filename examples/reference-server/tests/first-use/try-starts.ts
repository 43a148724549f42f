import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { format } from 'node:util'
import type { Attempt, FailedStart } from './failing-start.ts'

// Runs the program once for each attempt that its standard input lists, and prints as JSON how each one ended.
const attempts: readonly Attempt[] = JSON.parse(await text(process.stdin))
const { log, error } = console
const results: FailedStart[] = []
for (const { args, environment } of attempts) {
  const lines: string[] = []
  const errors: string[] = []
  console.log = (...parts) => void lines.push(...format(...parts).split('\n'))
  console.error = (...parts) => void errors.push(...format(...parts).split('\n'))
  process.argv.splice(2, Infinity, ...args)
  for (const name of Object.keys(process.env)) delete process.env[name]
  Object.assign(process.env, environment)
  process.exitCode = 0
  // The query makes it a new module, which runs. Its imports are loaded already.
  await import(`${join(import.meta.dirname, '../../src/main.ts')}?${results.length}`)
  results.push({ status: Number(process.exitCode), lines, errors })
}
Object.assign(console, { log, error })
process.exitCode = 0
console.log(JSON.stringify(results))
