import { execFile } from 'node:child_process'
import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { hasBinaries } from './has-binaries.ts'
import type { NamedCheck, OutsideCheck } from './outside-check.ts'

const run = promisify(execFile)

/** The tests that run inside of Bun and Deno. */
const inside = ['tests/stores.test.js', 'tests/gateway.test.js']

const versions = ['vitest-3', 'vitest-4', 'vitest-5']

interface Runtime {
  readonly name: 'bun' | 'deno'
  readonly binary: string
  /** The arguments before a program. */
  readonly args: readonly string[]
  /** The arguments of Vitest, so that it runs in this runtime. */
  readonly vitest: readonly string[]
}

const runtimes: readonly Runtime[] = [
  // Bun's processes lack a function of Node's that Vitest calls for its own.
  { name: 'bun', binary: '@oven/bun-linux-x64/bin/bun', args: ['--bun'], vitest: ['--pool=threads'] },
  {
    name: 'deno',
    binary: '@deno/linux-x64-glibc/deno',
    args: ['run', '--allow-all', '--cached-only', '--unstable-no-legacy-abort'],
    vitest: [],
  },
]

/**
 * Runs the conformance suites in each version of Vitest that the packages allow, and in Bun and Deno: those of stores
 * inside of the runtime, that of transports against a host there.
 */
export const checkSuites: OutsideCheck = {
  project: 'suites',
  directories: versions,
  checks: (project) => [
    ...versions.map((name) => ({ name, run: () => runSuites(project, name) })),
    ...(hasBinaries('Bun and Deno') ? runtimes.flatMap((runtime) => checksOf(project, runtime)) : []),
  ],
}

const vitestOf = (project: string, version: string): readonly string[] => [
  join(project, version === 'vitest-3' ? '' : version, 'node_modules/vitest/vitest.mjs'),
  ...['run', '--testTimeout=20000', '--hookTimeout=20000'],
]

/** Runs the files of `tests` where they find this version of Vitest and our packages. @returns the problems */
async function runVitest(
  project: string,
  version: string,
  files: readonly string[],
  { command = [process.execPath], args = [], env = {} }: VitestProcess = {},
): Promise<readonly string[]> {
  const directory = join(project, version)
  cpSync(join(project, 'tests'), join(directory, 'tests'), { recursive: true })
  const [program = '', ...before] = command
  try {
    await run(program, [...before, ...vitestOf(project, version), ...args, ...files], {
      cwd: directory,
      env: { ...process.env, ...env, NO_COLOR: '1' },
      maxBuffer: 2 ** 26,
    })
    return []
  } catch (error) {
    const printed = error instanceof Error && 'stdout' in error && 'stderr' in error
    return [`fails: ${printed ? `${error.stdout}${error.stderr}` : error}`]
  }
}

interface VitestProcess {
  readonly command?: readonly string[]
  readonly args?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
}

const runSuites = (project: string, version: string): Promise<readonly string[]> =>
  runVitest(
    project,
    version,
    ['stores', 'ports', 'transport'].map((name) => `tests/${name}.test.js`),
    {
      env: { TRIVIUM_VITEST: version.slice('vitest-'.length) },
    },
  )

function checksOf(project: string, { name, binary, args, vitest }: Runtime): readonly NamedCheck[] {
  const command = [join(project, 'node_modules', binary), ...args]
  const env = { TRIVIUM_RUNTIME: name, TRIVIUM_RUNTIME_COMMAND: command.join(' ') }
  return [
    {
      name: `${name}-stores`,
      run: () => runVitest(project, 'vitest-5', inside, { command, args: vitest, env }),
    },
    {
      name: `${name}-transport`,
      run: () => runVitest(project, 'vitest-5', ['tests/runtime-transport.test.js'], { env }),
    },
  ]
}
