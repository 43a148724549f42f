import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { RATE_WINDOW_MS } from '@trivium/gateway-core/ports'
import { describe, expect, it } from 'vitest'
import type { AdmissionRound } from './limiter-process.ts'
import { freshPrefix, redisAnswers, redisUrl } from './test-redis.ts'

const program = fileURLToPath(new URL('limiter-process.ts', import.meta.url))

describe.runIf(redisAnswers)('the rate limiter of four processes', () => {
  it('admits exactly the limit in each window', { timeout: 60_000 }, async () => {
    const prefix = freshPrefix()
    const processes = await Promise.all(
      Array.from({ length: 4 }, async () => {
        const child = fork(program, [redisUrl, prefix], { execArgv: ['--conditions=@trivium/source'] })
        await once(child, 'message')
        return child
      }),
    )
    const admittedAt = async (now: number): Promise<number> => {
      const round: AdmissionRound = { limit: 50, now, requests: 100 }
      const counts = await Promise.all(
        processes.map(async (child): Promise<number> => {
          const answer = once(child, 'message')
          child.send(round)
          const [count] = await answer
          return count
        }),
      )
      return counts.reduce((sum, count) => sum + count, 0)
    }
    const start = Date.UTC(2026, 0, 2)
    expect(await admittedAt(start)).toBe(50)
    expect(await admittedAt(start + RATE_WINDOW_MS - 1)).toBe(0)
    expect(await admittedAt(start + RATE_WINDOW_MS)).toBe(50)
    for (const child of processes) child.disconnect()
    await Promise.all(processes.map((child) => once(child, 'exit')))
  })
})
