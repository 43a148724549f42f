import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { checkLoading } from './check-loading.ts'
import { checkTypes, entryModules } from './check-types.ts'
import { installProject, type PackedPackages } from './install-project.ts'

const run = promisify(execFile)

/** Runs the published conformance suites with our stores, as a host does with its own. */
const CONFORMANCE = `
import { projectRepositoryConformance } from '@trivium/emulation-core/conformance'
import { apiKeyRepositoryConformance, usageRepositoryConformance } from '@trivium/gateway-core/conformance'
import { memoryEmulationRepositories } from '@trivium/memory-repositories/emulation'
import { memoryGatewayRepositories } from '@trivium/memory-repositories/gateway'
import { memoryStorageRepositories } from '@trivium/memory-repositories/storage'
import { storageRepositoriesConformance } from '@trivium/storage-core/conformance'

projectRepositoryConformance(() => memoryEmulationRepositories().projects)
apiKeyRepositoryConformance((replicas) => Array(replicas).fill(memoryGatewayRepositories().apiKeys))
usageRepositoryConformance((replicas) => Array(replicas).fill(memoryGatewayRepositories().usage))
storageRepositoriesConformance((replicas) => Array(replicas).fill(memoryStorageRepositories()))
`

const OUTSIDE_OF_VITEST = /\/conformance$/

/** Checks one project with every package and all optional peers, in which every entry must load. */
export async function checkTogether(packed: PackedPackages, directory: string): Promise<readonly string[]> {
  const manifests = [...packed.manifests.values()]
  const project = join(directory, 'together')
  const names = manifests.flatMap(({ name, optionalPeers }) => [name, ...optionalPeers])
  const types = ['express', 'node', 'pg', 'ws'].map((name) => `@types/${name}`)
  await installProject(project, [...new Set([...names, ...types])], packed)
  const specifiers = manifests.flatMap(({ specifiers }) => specifiers)
  const loadable = specifiers.filter((specifier) => !OUTSIDE_OF_VITEST.test(specifier))
  return [
    ...(await checkLoading(project, loadable, [])),
    ...checkTypes({
      directory: project,
      modules: entryModules(specifiers),
      packages: manifests.map(({ name }) => name),
      optional: [],
    }),
    ...(await runConformance(project)),
  ]
}

async function runConformance(project: string): Promise<readonly string[]> {
  writeFileSync(join(project, 'stores.test.js'), CONFORMANCE)
  try {
    await run(join('node_modules', '.bin', 'vitest'), ['run', '--root', '.'], { cwd: project })
    return []
  } catch (error) {
    const printed = error instanceof Error && 'stdout' in error && 'stderr' in error
    return [`a conformance suite fails: ${printed ? `${error.stdout}${error.stderr}` : error}`]
  }
}
