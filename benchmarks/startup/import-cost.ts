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

/** Conformance suites load only in test runners. */
const isSuite = (specifier: string) => specifier.endsWith('/conformance')

/** Returns the entries of each package that a host imports. */
export const entriesOf = (): ReadonlyMap<string, readonly string[]> =>
  new Map(
    [...readManifests().values()].map(({ name, specifiers }) => [name, specifiers.filter((one) => !isSuite(one))]),
  )

/** Returns the CPU time in milliseconds of a process that only imports these built modules. */
export async function importCost(specifiers: readonly string[]): Promise<number> {
  const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', PROGRAM, ...specifiers])
  return Number(stdout)
}
