import { type ServerProcess, startServer } from '../server-process.ts'

/** Several reference servers over one store. */
export interface Cluster {
  /** The servers that run now. */
  readonly servers: readonly ServerProcess[]
  /** Returns a running server; the index is taken modulo their number. */
  at(index: number): ServerProcess
  /** Kills a server during its work, and starts it again. Resolves when it answers. */
  crash(index: number): Promise<void>
  stop(): Promise<void>
}

/** Starts the servers at the same time, so that they run the migrations of the store concurrently. */
export async function startCluster(size: number, environment: Readonly<Record<string, string>>): Promise<Cluster> {
  const starts = await Promise.allSettled(Array.from({ length: size }, () => startServer({ environment })))
  const servers = starts.flatMap((start) => (start.status === 'fulfilled' ? [start.value] : []))
  const stop = async () => {
    await Promise.all(servers.map((server) => server[Symbol.asyncDispose]()))
  }
  const failure = starts.find((start) => start.status === 'rejected')
  if (failure) {
    await stop()
    throw failure.reason
  }
  const at = (index: number): ServerProcess => {
    const server = servers[index % servers.length]
    if (!server) throw new Error('no server runs')
    return server
  }
  return {
    servers,
    at,
    async crash(index) {
      const victim = at(index)
      servers.splice(servers.indexOf(victim), 1)
      await victim.kill()
      servers.push(await victim.restart())
    },
    stop,
  }
}
