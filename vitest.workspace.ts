import { existsSync, readdirSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

const allTests = ['src/**/*.test.ts', 'tests/**/*.test.ts']

/**
 * The tests whose outcome depends on Node's major version: of sockets, streams, workers, the built-in SQLite, and all that
 * uses them. `TRIVIUM_TESTS=node` runs only these. Browsers, kernels, guests and documents are the same on every major version.
 */
const dependsOnNode: Readonly<Record<string, readonly string[]>> = {
  'http-contract': allTests,
  'express-adapter': allTests,
  'fastify-adapter': allTests,
  'fetch-adapter': allTests,
  'http-client': allTests,
  'sql-repositories': allTests,
  'redis-repositories': allTests,
  'provider-kit': allTests,
  'openai-provider': allTests,
  'anthropic-provider': allTests,
  'ai-sdk-provider': allTests,
  'local-provider': allTests,
  'search-engines': allTests,
  'embedded-emulators': allTests,
  'native-datagrams': allTests,
  'gateway-core': ['tests/**/*.test.ts'],
  'emulation-core': ['tests/**/*.test.ts'],
  'storage-core': ['tests/**/*.test.ts'],
  // Tests of the server itself. Those in directories also drive other programs.
  'reference-server': ['tests/*.test.ts'],
}

/** Processes that tests start share their compiled code: loading the sources is half of the time of most of them. */
const env = { NODE_COMPILE_CACHE: join(tmpdir(), 'trivium-tests-compiled') }

/** Projects whose tests share only modules, which a worker loads once for all of them. */
const projectsWithSharedModules: ReadonlySet<string> = new Set(['gateway-core', 'emulation-core', 'storage-core'])

/** Projects whose tests visit the console, which is built once for all of them. */
const consoleProjects: ReadonlySet<string> = new Set(['console', 'reference-server'])

const buildPage = resolve('packages/console/tests/build-page.ts')

interface TestProject {
  readonly name: string
  readonly root: string
  readonly include: readonly string[]
  readonly exclude?: readonly string[]
  /** Projects of a higher order run later. @default 0 */
  readonly order?: number
}

const workspaces = ['packages', 'examples']
  .filter((group) => existsSync(group))
  .flatMap((group) => readdirSync(group).map((name) => ({ name, root: `${group}/${name}`, include: allTests })))
const unknown = Object.keys(dependsOnNode).filter((name) => !workspaces.some((one) => one.name === name))
if (unknown.length > 0) throw new Error(`there is no package ${unknown.join(', ')}`)
const repository = { name: 'repository', root: 'tests', include: ['**/*.test.ts'] }

/**
 * Tests that change the addresses of this machine. A browser drops its connections then, so they run after all others.
 */
const testsOfNetworks = ['tests/emulation/devices.test.ts', 'tests/emulation/nat.test.ts']

const projects: readonly TestProject[] =
  process.env.TRIVIUM_TESTS === 'node'
    ? workspaces.flatMap((workspace) => {
        const include = dependsOnNode[workspace.name]
        return include ? [{ ...workspace, include }] : []
      })
    : [
        ...workspaces.map((workspace) =>
          workspace.name === 'reference-server' ? { ...workspace, exclude: testsOfNetworks } : workspace,
        ),
        repository,
        { name: 'networks', root: 'examples/reference-server', include: testsOfNetworks, order: 1 },
      ]

/** Tests that take minutes. At the end of a run, the others would have left one worker with each of them. */
const longTests = [
  'event-loop/event-loop',
  'replicas/crashes',
  'event-loop/large-translations',
  'tests/quota-guest',
  'replicas/wrong-starts',
  'spending/spending',
  'gateway/gateway-conformance',
  'storage/storage-conformance',
  'emulation/emulation-conformance',
  'ansible/ansible',
]

class LongTestsFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification) => longTests.some((name) => moduleId.includes(name))
    const sorted = await super.sort(files)
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))]
  }
}

export default defineConfig({
  test: {
    sequence: { sequencer: LongTestsFirst },
    reporters: ['default', './vitest.reporter.ts'],
    // Tests wait for programs and time limits, not for a core, for half of the time.
    maxWorkers: 2 * availableParallelism(),
    projects: projects.map(({ name, root, include, exclude = [], order = 0 }) => ({
      root,
      ssr: { resolve: { conditions: ['@trivium/source'] } },
      // Long limits, which end only a test that hangs, also on a busy machine.
      test: {
        testTimeout: 60_000,
        hookTimeout: 120_000,
        expect: { poll: { timeout: 30_000 } },
        env,
        name,
        include: [...include],
        exclude: [...exclude],
        sequence: { groupOrder: order },
        isolate: !projectsWithSharedModules.has(name),
        globalSetup: consoleProjects.has(name) ? [buildPage] : [],
      },
    })),
  },
})
