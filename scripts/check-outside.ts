import { mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { checkBundlers } from './outside/check-bundlers.ts'
import { checkSuites } from './outside/check-suites.ts'
import { installFixture } from './outside/install-fixture.ts'
import { packPackages } from './packages/pack-packages.ts'
import { readManifests } from './packages/package-manifest.ts'

/**
 * Packs the built packages, and uses them in projects outside of the repository: in bundlers, in other versions of
 * Vitest, in Bun, in Deno and in an old Node. Names of projects or checks run these alone. Prints the time of each
 * check, and problems.
 */
const wanted = process.argv.slice(2)
const outside = [checkBundlers, checkSuites]
const directory = mkdtempSync(join(tmpdir(), 'trivium-outside-'))
const problems: string[] = []
let passed = 0
let total = 0
try {
  const packages = await packPackages([...readManifests().keys()], directory)
  for (const { project, directories, checks } of outside) {
    const isWanted = (name: string) => wanted.length === 0 || wanted.includes(project) || wanted.includes(name)
    const chosen = checks(join(directory, project)).filter(({ name }) => isWanted(name))
    if (chosen.length === 0) continue
    await timed(`installation of ${project}`, () =>
      installFixture(project, packages, { destination: directory, directories }),
    )
    total += chosen.length
    const queue = chosen.values()
    await Promise.all(
      Array.from({ length: availableParallelism() }, async () => {
        for (const { name, run } of queue) {
          const found = await timed(name, run).catch((error: unknown) => [
            error instanceof Error ? error.message : String(error),
          ])
          problems.push(...found.map((problem) => `${name} ${problem}`))
          if (found.length === 0) passed += 1
        }
      }),
    )
  }
} finally {
  rmSync(directory, { recursive: true, force: true })
}
for (const problem of problems) console.error(problem)
console.log(`${passed} of ${total} checks outside of the repository pass`)
process.exitCode = problems.length > 0 || total === 0 ? 1 : 0

async function timed<Result>(name: string, run: () => Promise<Result>): Promise<Result> {
  const start = performance.now()
  try {
    return await run()
  } finally {
    console.log(`${((performance.now() - start) / 1000).toFixed(1).padStart(5)} s  ${name}`)
  }
}
