import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { type ChildProgram, startChild } from './child-program.ts'

export interface ReplicaOptions {
  /** The name in log lines. */
  readonly name: string
  readonly environment: NodeJS.ProcessEnv
  readonly log: (line: string) => void
}

export interface Replica {
  readonly port: number
  /** Stops the replica after its running answers. */
  stop(): Promise<void>
}

const server = join(import.meta.dirname, '../../reference-server/start.js')
const RESTART_MS = 500

/** Starts one reference server, and starts it again on the same port whenever it ends without `stop`. */
export async function startReplica({ name, environment, log }: ReplicaOptions): Promise<Replica> {
  const start = (port: number) =>
    startChild({
      program: process.execPath,
      args: ['--conditions=@trivium/source', server, '--port', String(port), '--host', '127.0.0.1'],
      environment,
      ready: /listening on http/,
      onError: (line) => log(`${name}: ${line}`),
    })
  let current: ChildProgram | undefined = await start(0)
  const port = Number(/:(\d+)$/.exec(current.readyLine)?.[1])
  const stopping = new AbortController()

  const keepRunning = async () => {
    while (!stopping.signal.aborted) {
      const end = await current?.ended
      if (stopping.signal.aborted) return
      log(`${name} has ended with ${end}. It is started again.`)
      current = undefined
      await setTimeout(RESTART_MS, undefined, { signal: stopping.signal }).catch(() => undefined)
      if (stopping.signal.aborted) return
      current = await start(port).catch((error: unknown) => {
        log(`${name}: ${error instanceof Error ? error.message : error}`)
        return undefined
      })
      if (stopping.signal.aborted) current?.signal('SIGTERM')
    }
    await current?.ended
  }
  const running = keepRunning()

  return {
    port,
    async stop() {
      stopping.abort()
      current?.signal('SIGTERM')
      await current?.ended
      await running
    },
  }
}
