import { describe, expect, it } from 'vitest'
import { fuzzService } from './fuzz-service.ts'
import { targets } from './targets/targets.ts'

/** One seed without a socket, one over Express, one over Fastify. `npm run fuzz` covers further seeds. */
const seeds = [1, 3, 7]

describe.each(targets)('the $name', (target) => {
  it.each(seeds)('answers 500 valid and invalid requests of seed %i as it declares, without a fault', async (seed) => {
    const { sent, findings } = await fuzzService(target, { seed, requests: 500 })
    expect(findings).toEqual([])
    expect(sent).toBeGreaterThan(450)
  })
})
