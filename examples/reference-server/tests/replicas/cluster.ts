import { type ServerProcess, startServer } from '../server-process.ts'

/** Several reference servers over one store. */
export interface Cluster {
  /** Those that run now. */
  readonly servers: readonly ServerProcess[]
  /** One of those that run; they are counted round and round. */
  at(index: number): ServerProcess
  /** Kills one in the middle of what it does, and starts it again. Settles when it answers. */
  crash(index: number): Promise<void>
  stop(): Promise<void>
}

/** Starts them at the same moment, so that they meet at the store's migrations. */
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
