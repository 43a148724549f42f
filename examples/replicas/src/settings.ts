import { userInfo } from 'node:os'
import { resolve } from 'node:path'

export interface Settings {
  /** The port of the proxy; 0 for a free one. */
  readonly port: number
  readonly dataDirectory: string
  readonly databaseUrl: string
  readonly redisUrl: string
  /** Further variables of every replica. */
  readonly environment: NodeJS.ProcessEnv
}

export function readSettings(environment: NodeJS.ProcessEnv): Settings {
  const { PORT, TRIVIUM_DATA_DIR, DATABASE_URL, REDIS_URL } = environment
  return {
    port: Number(PORT ?? 8080),
    dataDirectory: resolve(TRIVIUM_DATA_DIR || '.trivium/replicas'),
    databaseUrl: DATABASE_URL || `postgres://${userInfo().username}@127.0.0.1:5432/trivium_replicas`,
    redisUrl: REDIS_URL || 'redis://127.0.0.1:6379',
    environment,
  }
}
