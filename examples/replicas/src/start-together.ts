import { join } from 'node:path'
import { createDatabase } from './create-database.ts'
import type { Settings } from './settings.ts'
import { startNginx } from './start-nginx.ts'
import { startReplica } from './start-replica.ts'

/** Only the first replica serves labs: each replica that serves them would start all of them. */
const numbers = [1, 2, 3]
const LABS = 1

export interface Running {
  readonly url: string
  /** The ports of the replicas. */
  readonly ports: readonly number[]
  /** Settles when the proxy has ended. */
  readonly ended: Promise<unknown>
  stop(): Promise<void>
}

/** Starts the replicas over one database and one Redis, and the proxy in front of them. Stops all of them where one start fails. */
export async function startTogether({
  port,
  dataDirectory,
  databaseUrl,
  redisUrl,
  environment,
}: Settings): Promise<Running> {
  await createDatabase(databaseUrl)
  const sharedVolumes = isShared(environment.TRIVIUM_VOLUMES)
  const servicesOf = (number: number) => {
    if (number === LABS) return 'gateway,emulation,storage'
    return sharedVolumes ? 'gateway,storage' : 'gateway'
  }
  const starts = await Promise.allSettled(
    numbers.map((number) =>
      startReplica({
        name: `Replica ${number}`,
        environment: {
          ...environment,
          DATABASE_URL: databaseUrl,
          REDIS_URL: redisUrl,
          TRIVIUM_DATA_DIR: dataDirectory,
          TRIVIUM_SERVICES: servicesOf(number),
          TRIVIUM_TRUST_PROXY: '127.0.0.1',
        },
        log: console.error,
      }),
    ),
  )
  const replicas = starts.flatMap((start) => (start.status === 'fulfilled' ? [start.value] : []))
  const stopReplicas = () => Promise.all(replicas.map((replica) => replica.stop()))
  try {
    const failure = starts.find((start) => start.status === 'rejected')
    if (failure) throw failure.reason
    const ports = replicas.map(({ port }) => port)
    const { url, ended, stop } = await startNginx({
      port,
      directory: join(dataDirectory, 'nginx'),
      replicas: ports,
      labs: ports[numbers.indexOf(LABS)] ?? 0,
      sharedVolumes,
    })
    return {
      url,
      ports,
      ended,
      async stop() {
        await stop()
        await stopReplicas()
      },
    }
  } catch (error) {
    await stopReplicas()
    throw error
  }
}

/** Returns whether every replica reaches the volumes. A simulated volume is in the memory of one process. */
const isShared = (volumes = ''): boolean => volumes !== '' && !/=simulated\b/.test(volumes)
