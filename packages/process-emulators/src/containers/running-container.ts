import { setTimeout as wait } from 'node:timers/promises'
import { type ExitReport, isRefusal, type ProcessRecord, type RunningInstance } from '@trivium/emulation-core/ports'
import type { ContainerAdapters } from './container-adapters.ts'
import type { ContainerEngine } from './container-engine.ts'
import type { ShellConsole } from './shell-console.ts'

const EXCERPT_CHARACTERS = 1000
const RETRY_MS = 1000

export interface RunningContainerOptions {
  readonly engine: ContainerEngine
  readonly container: string
  readonly processes: readonly ProcessRecord[]
  readonly adapters: ContainerAdapters
  /** Absent where the settings have no console. */
  readonly shell: ShellConsole | undefined
  /** Resolves with the reason why the server has ended the container itself, where it has. */
  readonly cause: () => Promise<string | undefined>
}

/** Watches a container that has started. It is removed when its program has ended, and when it is stopped. */
export function runningContainer(options: RunningContainerOptions): RunningInstance<'container'> {
  const { engine, container, adapters, shell, cause } = options
  const watching = new AbortController()
  let hasEnded = false

  const end = async (exitCode: number | undefined, log: string): Promise<ExitReport> => {
    hasEnded = true
    shell?.close()
    const report = { log: ((await cause()) ?? log).slice(-EXCERPT_CHARACTERS) }
    await adapters.release()
    return exitCode === undefined ? report : { ...report, exitCode }
  }

  /** Waits for the end of the program, also while the engine is restarted. */
  const watch = async (): Promise<ExitReport> => {
    for (;;) {
      try {
        const exitCode = await engine.exitOf(container, watching.signal)
        const log = await engine.logOf(container)
        await engine.remove(container)
        return await end(exitCode, log)
      } catch (error) {
        if (!isRefusal(error)) throw error
        if (watching.signal.aborted) return end(undefined, '')
        await wait(RETRY_MS, undefined, { ref: false, signal: watching.signal }).catch(() => {})
      }
    }
  }
  const exited = watch()

  return {
    get processes() {
      return hasEnded ? [] : options.processes
    },
    ...(shell && { console: shell.endpoint }),
    exited,
    stop: async () => {
      shell?.close()
      if (!hasEnded) await engine.remove(container)
      watching.abort()
      await exited
    },
    suspend: async () => {
      if (!hasEnded) await engine.pause(container)
    },
    resume: async () => {
      if (!hasEnded) await engine.unpause(container)
    },
    resources: async () => (hasEnded ? undefined : engine.usageOf(container)),
  }
}
