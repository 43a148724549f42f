import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Duplex, Readable, Writable } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import type { InstanceId } from '@trivium/emulation-core'
import { type ExitReport, type ProcessRecord, Refusal } from '@trivium/emulation-core/ports'
import { endMarked } from './end-marked.ts'
import { endProcesses } from './end-processes.ts'
import { pacedOutput } from './paced-output.ts'
import { INSTANCE_VARIABLE, type ProcessEnvironment, START_VARIABLE } from './process-environment.ts'
import { childrenOf, identify } from './process-identity.ts'
import { createProcessLog } from './process-log.ts'
import { spawnChild } from './spawn-child.ts'

const DRAIN_MS = 200

export interface StartProcessOptions {
  readonly program: string
  readonly parameters: readonly string[]
  /** The working directory, and the directory of the log. */
  readonly directory: string
  readonly logFile: string
  /** Called with the number of bytes that were written to the log. */
  readonly logged?: ((bytes: number) => void) | undefined
  readonly environment: ProcessEnvironment
  readonly instanceId: InstanceId
  /** `log` writes the output to the log. `stream` leaves input and output to the caller; errors are logged. */
  readonly terminal: 'log' | 'stream'
  /** Connected sockets that the process finds as file descriptors 3 and up. @default 0 */
  readonly sockets?: number
  /** Milliseconds that it has to end by itself before it is killed. @default 3000 */
  readonly graceMs?: number
}

/** A child process in its own session. */
export interface EmulatorProcess {
  readonly record: ProcessRecord
  /** Resolves when it and all processes that it started have ended. */
  readonly exited: Promise<ExitReport>
  readonly hasExited: () => boolean
  /** The end of its log. */
  readonly log: () => string
  readonly sockets: readonly Duplex[]
  /** Present with `terminal: 'stream'`. */
  readonly terminal: { readonly input: Writable; readonly output: Readable } | undefined
  /** Records its current children, which can leave its session. */
  readonly recordChildren: () => Promise<readonly ProcessRecord[]>
  /** Signals the process and its group. Does nothing once it has ended. */
  readonly signal: (name: NodeJS.Signals) => void
  /** Ends the process and its group: SIGTERM, then SIGKILL after the grace. Resolves with `exited`. */
  readonly stop: () => Promise<void>
}

/** Resolves when the process exists, whether it works or not. Rejects with a `failed` refusal. */
export async function startProcess(options: StartProcessOptions): Promise<EmulatorProcess> {
  const { program, parameters, directory, environment, instanceId, graceMs = 3000 } = options
  const streams = options.terminal === 'stream'
  const sockets = Array.from({ length: options.sockets ?? 0 }, () => 'pipe' as const)
  const mark = randomUUID()
  const child = spawnChild(program, parameters, {
    cwd: directory,
    env: { ...environment, [INSTANCE_VARIABLE]: instanceId, [START_VARIABLE]: mark },
    stdio: [streams ? 'pipe' : 'ignore', 'pipe', 'pipe', ...sockets],
  })
  const log = createProcessLog({ path: join(directory, options.logFile), onWritten: options.logged })
  try {
    await once(child, 'spawn')
  } catch (cause) {
    await log.close()
    const message = cause instanceof Error ? cause.message : String(cause)
    throw new Refusal('failed', `${program} could not be started: ${message}`, { cause })
  }
  for (const stream of child.stdio) stream?.on('error', () => {})
  for (const output of streams ? [child.stderr] : [child.stdout, child.stderr]) {
    if (output !== null) pacedOutput(output, log.write)
  }

  const { pid } = child
  if (pid === undefined) throw new Error('A spawned process has no number')
  let children: readonly ProcessRecord[] = []
  let ended = false
  const closed = once(child, 'close')
  const exited = new Promise<ExitReport>((resolve) => {
    child.once('exit', async (exitCode, signal) => {
      ended = true
      await endProcesses(children, { graceMs: 0 })
      await endMarked(mark)
      // The report includes what is still in the pipes. A grandchild that keeps one open must not delay it.
      await Promise.race([closed, wait(DRAIN_MS)])
      await log.close()
      for (const stream of child.stdio) stream?.destroy()
      resolve({
        ...(exitCode === null ? {} : { exitCode }),
        ...(signal === null ? {} : { signal }),
        log: log.excerpt(),
      })
    })
  })

  const signal = (name: NodeJS.Signals) => {
    // Until Node reports the end, no other process can have the number of the process or its group.
    if (ended) return
    try {
      process.kill(-pid, name)
    } catch {
      // The process has ended.
    }
  }
  const record = (await identify(pid, program)) ?? { pid, startedAt: '', program }

  return {
    record,
    exited,
    hasExited: () => ended,
    log: log.excerpt,
    sockets: child.stdio.slice(3).filter((stream): stream is Duplex => stream !== null && stream !== undefined),
    terminal: streams && child.stdin && child.stdout ? { input: child.stdin, output: child.stdout } : undefined,
    recordChildren: async () => {
      if (!ended) children = await childrenOf(record)
      return children
    },
    signal,
    stop: async () => {
      signal('SIGTERM')
      signal('SIGCONT')
      const timer = setTimeout(() => signal('SIGKILL'), graceMs)
      await exited
      clearTimeout(timer)
    },
  }
}
