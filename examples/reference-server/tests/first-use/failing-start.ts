import { spawnSync } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface FailedStart {
  readonly status: number | null
  /** Of its standard output. */
  readonly lines: readonly string[]
  /** Lines of its standard error. */
  readonly complaints: readonly string[]
}

/** Starts a server that cannot start, and waits for its end. */
export function failingStart(args: readonly string[], environment: Readonly<Record<string, string>> = {}): FailedStart {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--conditions=@trivium/source', join(import.meta.dirname, '../../start.js'), '--port', '0', ...args],
    {
      env: {
        PATH: process.env.PATH,
        TRIVIUM_DATA_DIR: mkdtempSync(join(tmpdir(), 'trivium-')),
        TRIVIUM_SERVICES: 'gateway',
        ...environment,
      },
      encoding: 'utf8',
      timeout: 60_000,
    },
  )
  return { status, lines: stdout.split('\n'), complaints: stderr.trim().split('\n') }
}
