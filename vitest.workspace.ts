import { existsSync, readdirSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { defineConfig } from 'vitest/config'

const everyTest = ['src/**/*.test.ts', 'tests/**/*.test.ts']

/**
 * What Node's major version can change: sockets, streams, workers, the built-in SQLite, and all that is built on them.
 * `TRIVIUM_TESTS=node` runs these alone. What browsers, kernels, guests and documents do is the same on every major.
 */
const dependsOnNode: Readonly<Record<string, readonly string[]>> = {
  'http-contract': everyTest,
  'express-adapter': everyTest,
  'fastify-adapter': everyTest,
  'fetch-adapter': everyTest,
  'http-client': everyTest,
  'memory-repositories': everyTest,
  'sql-repositories': everyTest,
  'redis-repositories': everyTest,
  'provider-kit': everyTest,
  'openai-provider': everyTest,
  'anthropic-provider': everyTest,
  'ai-sdk-provider': everyTest,
  'local-provider': everyTest,
  'search-engines': everyTest,
  'embedded-emulators': everyTest,
  'native-datagrams': everyTest,
  'gateway-core': ['tests/**/*.test.ts'],
  'emulation-core': ['tests/**/*.test.ts'],
  'storage-core': ['tests/**/*.test.ts'],
  // The server itself; what its folders hold drives programs beside it.
  'reference-server': ['tests/*.test.ts'],
}

/** What one process that a test starts compiled, the next finds: loading the sources is half of what most of them cost. */
const env = { NODE_COMPILE_CACHE: join(tmpdir(), 'trivium-tests-compiled') }

/** Their tests share no state but the modules, so a worker loads those once for all of them. */
const shareModules: ReadonlySet<string> = new Set(['gateway-core', 'emulation-core', 'storage-core'])

/** Their tests visit the console, which is built once for all of them. */
const visitConsole: ReadonlySet<string> = new Set(['console', 'reference-server'])

const buildPage = resolve('packages/console/tests/build-page.ts')

const workspaces = ['packages', 'examples']
  .filter((group) => existsSync(group))
  .flatMap((group) => readdirSync(group).map((name) => ({ name, root: `${group}/${name}`, include: everyTest })))
const unknown = Object.keys(dependsOnNode).filter((name) => !workspaces.some((one) => one.name === name))
if (unknown.length > 0) throw new Error(`No package is named ${unknown.join(', ')}.`)
const repository = { name: 'repository', root: 'tests', include: ['**/*.test.ts'] }

const projects =
  process.env.TRIVIUM_TESTS === 'node'
    ? workspaces.flatMap((workspace) => {
        const include = dependsOnNode[workspace.name]
        return include ? [{ ...workspace, include: [...include] }] : []
      })
    : [...workspaces, repository]

export default defineConfig({
  test: {
    reporters: ['default', './vitest.reporter.ts'],
    // Half of the time tests wait for programs and time limits, not for a core.
    maxWorkers: 2 * availableParallelism(),
    projects: projects.map(({ name, root, include }) => ({
      root,
      ssr: { resolve: { conditions: ['@trivium/source'] } },
      // A busy machine is no failure: what hangs is what these end.
      test: {
        testTimeout: 60_000,
        hookTimeout: 120_000,
        env,
        name,
        include,
        isolate: !shareModules.has(name),
        globalSetup: visitConsole.has(name) ? [buildPage] : [],
      },
    })),
  },
})
