import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { readManifests } from '../../scripts/packages/package-manifest.ts'

const run = promisify(execFile)

const PROGRAM = `
for (const specifier of process.argv.slice(1)) await import(specifier)
const { user, system } = process.cpuUsage()
console.log((user + system) / 1000)
process.exit()
`

/** Suites are for test runners, and load only there. */
const isSuite = (specifier: string) => specifier.endsWith('/conformance')

/** What a host imports of each package. */
export const entriesOf = (): ReadonlyMap<string, readonly string[]> =>
  new Map(
    [...readManifests().values()].map(({ name, specifiers }) => [name, specifiers.filter((one) => !isSuite(one))]),
  )

/** Milliseconds of CPU time of a process that imports these modules, as they were built, and nothing else. */
export async function importCost(specifiers: readonly string[]): Promise<number> {
  const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', PROGRAM, ...specifiers])
  return Number(stdout)
}
