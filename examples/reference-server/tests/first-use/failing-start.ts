import { spawnSync } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface FailedStart {
  readonly status: number | null
  /** Lines of its standard output. */
  readonly lines: readonly string[]
  /** Lines of its standard error. */
  readonly errors: readonly string[]
}

export interface Attempt {
  readonly args: readonly string[]
  readonly environment: Readonly<Record<string, string>>
}

const complete = ({ args, environment }: Attempt): Attempt => ({
  args: ['--port', '0', ...args],
  environment: {
    PATH: process.env.PATH ?? '',
    TRIVIUM_DATA_DIR: mkdtempSync(join(tmpdir(), 'trivium-')),
    TRIVIUM_SERVICES: 'gateway',
    ...environment,
  },
})

const run = (script: string, { args, environment }: Attempt, input = '') =>
  spawnSync(process.execPath, ['--conditions=@trivium/source', join(import.meta.dirname, script), ...args], {
    env: environment,
    input,
    encoding: 'utf8',
    timeout: 60_000,
  })

/** Runs a start that fails, and waits for its end. */
export function failingStart(args: readonly string[], environment: Readonly<Record<string, string>> = {}): FailedStart {
  const { status, stdout, stderr } = run('../../start.js', complete({ args, environment }))
  return { status, lines: stdout.split('\n'), errors: stderr.trim().split('\n') }
}

/**
 * Runs starts that fail, one by one in a single process, which loads the services once for all of them. The process ends by
 * itself only if every start closes what it has opened.
 */
export function failingStarts(attempts: readonly Attempt[]): readonly FailedStart[] {
  const environment = { PATH: process.env.PATH ?? '' }
  const input = JSON.stringify(attempts.map(complete))
  const { status, stdout, stderr } = run('try-starts.ts', { args: [], environment }, input)
  if (status !== 0 || stderr !== '') throw new Error(`the starts ended with ${status}:\n${stderr}`)
  return JSON.parse(stdout)
}
