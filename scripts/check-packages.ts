import { mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { readBudgets } from './budgets/budgets.ts'
import { overBudgets } from './budgets/over-budgets.ts'
import { weighPackages } from './budgets/package-weights.ts'
import { checkPackage } from './packages/check-package.ts'
import { checkTogether } from './packages/check-together.ts'
import { packPackages } from './packages/pack-packages.ts'
import { readManifests } from './packages/package-manifest.ts'

/** Packs the built packages, compares their sizes with the budgets, and tests each as it would be published. Prints only problems. */
const manifests = readManifests()
const directory = mkdtempSync(join(tmpdir(), 'trivium-packages-'))
const problems: string[] = []
let fit = 0
try {
  const packages = await packPackages([...manifests.keys()], directory)
  const packed = { manifests, packages }
  problems.push(...overBudgets(weighPackages(manifests, packages), readBudgets()))
  const checks = [...manifests.values()].map((manifest) => ({
    name: manifest.name,
    run: () => checkPackage(manifest, packed, directory),
  }))
  // The longest check is first.
  const queue = [{ name: 'all together', run: () => checkTogether(packed, directory) }, ...checks].values()
  await Promise.all(
    Array.from({ length: availableParallelism() }, async () => {
      for (const { name, run } of queue) {
        const found = await run().catch((error: unknown) => [error instanceof Error ? error.message : String(error)])
        problems.push(...found.map((problem) => `${name}: ${problem}`))
        if (found.length === 0 && manifests.has(name)) fit += 1
      }
    }),
  )
} finally {
  rmSync(directory, { recursive: true, force: true })
}
for (const problem of problems) console.error(problem)
console.log(`${fit} of ${manifests.size} packages can be published`)
process.exitCode = problems.length > 0 ? 1 : 0
