import { expect, it } from 'vitest'
import type { Gauge } from './gauges.ts'
import { openSoak, traffics } from './soak.ts'
import type { Traffic } from './traffic/traffic.ts'

/** Returns the number of turns of each user. */
const turnsOf = ({ isSlow = false }: Traffic): number => (isSlow ? 3 : 20)

/** Less growth than if one user leaked one at each turn. Libraries keep one or two closed sockets with their listeners. */
const most: readonly (readonly [Gauge, number])[] = [
  ['descriptors', 2],
  ['handles', 2],
  ['timers', 2],
  ['listeners', 19],
]

it('leaks no descriptor, handle, timer or listener under mixed traffic', async () => {
  await using soak = await openSoak()
  await soak.warmUp()
  await soak.run(() => false)
  const before = await soak.rest()
  await soak.run((turns, traffic) => turns < turnsOf(traffic))
  expect(Object.fromEntries(soak.failures)).toEqual({})
  expect([...soak.turns]).toEqual(traffics.map((traffic) => [traffic.name, traffic.users * (1 + turnsOf(traffic))]))
  const grown = async () => {
    const after = await soak.rest()
    return most
      .map(([gauge, limit]) => ({ gauge, by: after[gauge] - before[gauge], limit }))
      .filter(({ by, limit }) => by > limit)
  }
  // Reads all gauges together, since each read collects the garbage of the whole server.
  await expect.poll(grown, { timeout: 40_000 }).toEqual([])
  expect(await soak.stop()).toBe(0)
}, 180_000)
