import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

export interface FirstAnswer {
  readonly wallMs: number
  /** CPU time of the server's own process, without npm. */
  readonly cpuMs: number
  readonly residentMegabytes: number
}

const TICK_MS = 10

/** Starts the reference server as a new user does, with an empty data directory, and requests its health. */
export async function firstAnswer(): Promise<FirstAnswer> {
  const data = mkdtempSync(join(tmpdir(), 'trivium-bench-'))
  const began = performance.now()
  const npm = spawn('npm', ['start', '--', '--port', '0', '--data-dir', data], {
    cwd: join(import.meta.dirname, '../..'),
    stdio: ['ignore', 'pipe', 'inherit'],
    // A process group of its own, since npm does not forward every signal.
    detached: true,
  })
  const exited = once(npm, 'exit')
  try {
    for await (const line of createInterface({ input: npm.stdout })) {
      const url = /http:\/\/127\.0\.0\.1:\d+/.exec(line)?.[0]
      if (url === undefined) continue
      const response = await fetch(`${url}/health`)
      if (!response.ok) throw new Error(`/health answered ${response.status}`)
      await response.arrayBuffer()
      const wallMs = performance.now() - began
      return { wallMs, ...accountOf(youngest(npm.pid ?? 0)) }
    }
    throw new Error('npm start ended without an address')
  } finally {
    if (npm.pid !== undefined) process.kill(-npm.pid, 'SIGTERM')
    npm.stdout.resume()
    await exited
    rmSync(data, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })
  }
}

/** Returns the last of a chain of processes, which is the server. */
function youngest(pid: number): number {
  const [child] = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ')
  return child ? youngest(Number(child)) : pid
}

function accountOf(pid: number): Pick<FirstAnswer, 'cpuMs' | 'residentMegabytes'> {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const resident = /VmRSS:\s*(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return {
    cpuMs: (Number(fields[11]) + Number(fields[12])) * TICK_MS,
    residentMegabytes: Number(resident) / 1024,
  }
}
