import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as v from 'valibot'
import type { CheckResult, Client } from '../client.ts'
import { runProgram } from '../run-program.ts'

/** A client with all of its checks must end within this time. */
const TIMEOUT_MS = 600_000

const unshare = ['--net', '--pid', '--fork', '--kill-child', '--mount-proc']

const resultsSchema = v.array(v.object({ name: v.string(), problems: v.array(v.string()) }))

/** Returns whether this process may make namespaces: as root, with the rights of a privileged container. */
export const canMakeNamespaces = (): boolean =>
  process.platform === 'linux' && spawnSync('unshare', [...unshare, 'ip', 'link', 'set', 'lo', 'up']).status === 0

/** Runs the checks of a client where only loopback can be reached. Every process of it is killed at the end. */
export async function runClient({ name }: Client, project: string): Promise<readonly CheckResult[]> {
  const directory = mkdtempSync(join(tmpdir(), 'trivium-client-'))
  const report = join(directory, 'report.json')
  try {
    const main = join(import.meta.dirname, 'run-in-namespace.ts')
    const { code, output } = await runProgram({
      command: 'unshare',
      args: [...unshare, process.execPath, '--conditions=@trivium/source', main, name, project, report],
      directory: process.cwd(),
      env: { PATH: process.env.PATH ?? '', HOME: directory, TMPDIR: directory },
      timeoutMs: TIMEOUT_MS,
    })
    if (code !== 0)
      return [{ name: 'all checks', problems: [`end with ${code ?? 'a signal'}: ${output.slice(-4000)}`] }]
    return v.parse(resultsSchema, JSON.parse(readFileSync(report, 'utf8')))
  } finally {
    rmSync(directory, { recursive: true, force: true, maxRetries: 3 })
  }
}
