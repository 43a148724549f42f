import { EventEmitter, once } from 'node:events'
import { setTimeout } from 'node:timers/promises'
import { seededRandom } from '../../../../packages/sql-repositories/tests/seeded-random.ts'
import type { ServerProcess } from '../server-process.ts'
import type { Cluster } from './cluster.ts'

export interface CrashingWrites {
  readonly cluster: Cluster
  readonly writers: readonly { write(server: ServerProcess, number: number): Promise<void> }[]
  /** The number of answered writes of each writer. */
  readonly writes: number
  /** The number of crashes of a server meanwhile, at random times. */
  readonly crashes: number
}

const CONCURRENCY = 3

/**
 * Writes until every writer has `writes` answers, while servers are killed and restarted.
 *
 * @returns the numbers that were answered, in the order of the writers
 */
export async function writeThroughCrashes(options: CrashingWrites): Promise<readonly ReadonlySet<number>[]> {
  const { cluster, writers, writes, crashes } = options
  const random = seededRandom('Servers are killed')
  const answered = writers.map(() => new Set<number>())
  const answers = new EventEmitter()
  const progress = () => answered.reduce((sum, { size }) => sum + size, 0)

  const work = writers.flatMap((writer, index) => {
    const own = answered[index] ?? new Set()
    let next = 0
    return Array.from({ length: CONCURRENCY }, async () => {
      while (own.size < writes) {
        const number = next++
        const server = cluster.at(number)
        try {
          await writer.write(server, number)
          own.add(number)
          answers.emit('answer')
        } catch (error) {
          // After a crash it is unknown whether the write was stored. Any other error is a failure.
          if (cluster.servers.includes(server)) throw error
        }
      }
    })
  })
  const written = Promise.all(work)
  let hasEnded = false
  const ended = written.finally(() => {
    hasEnded = true
  })
  ended.catch(() => undefined)
  for (let crash = 1; crash <= crashes && !hasEnded; crash += 1) {
    const due = (crash * writes * writers.length) / (crashes + 1)
    while (!hasEnded && progress() < due) await Promise.race([once(answers, 'answer'), ended])
    await setTimeout(random() * 20)
    await cluster.crash(Math.floor(random() * cluster.servers.length))
  }
  await ended
  return answered
}
