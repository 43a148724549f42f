import { describe, expect, it } from 'vitest'
import { fuzzService } from './fuzz-service.ts'
import { targets } from './targets/targets.ts'

/** One without a socket, one over Express, one over Fastify: `npm run fuzz` goes on from any other. */
const seeds = [1, 3, 7]

describe.each(targets)('$name', (target) => {
  it.each(seeds)('answers 500 bad and good requests of seed %i as it declares, and has no fault', async (seed) => {
    const { sent, findings } = await fuzzService(target, { seed, requests: 500 })
    expect(findings).toEqual([])
    expect(sent).toBeGreaterThan(450)
  })
})
