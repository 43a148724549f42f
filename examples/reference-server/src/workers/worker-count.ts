import { availableParallelism } from 'node:os'
import { type Settings, SettingsError } from '../settings.ts'

type Counted = Pick<Settings, 'TRIVIUM_WORKERS' | 'TRIVIUM_SERVICES' | 'DATABASE_URL'>

/**
 * Returns how many processes the gateway has. 1 is this process.
 *
 * @throws SettingsError for more than one where they could not share their state, or where no gateway is served
 */
export function workerCount({ TRIVIUM_WORKERS: wanted, TRIVIUM_SERVICES: served, DATABASE_URL: url }: Counted): number {
  const count = wanted === 'auto' ? availableParallelism() : wanted
  if (count === 1) return 1
  if (!served.includes('gateway')) {
    throw new SettingsError(
      `TRIVIUM_WORKERS (--workers) is for the gateway, which is not among TRIVIUM_SERVICES. Labs and storage have one process.`,
    )
  }
  if (url !== undefined && IN_MEMORY.test(url)) {
    throw new SettingsError(
      `TRIVIUM_WORKERS (--workers) is ${count}, and DATABASE_URL keeps keys and limits in the memory of one process, so limits would not be exact. Name a database such as sqlite:FILE, or use 1 worker.`,
    )
  }
  return count
}

const IN_MEMORY = /^(memory:$|sqlite::memory:)/
