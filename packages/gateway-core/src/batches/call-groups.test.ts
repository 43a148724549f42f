import { expect, it, vi } from 'vitest'
import { callGroups } from './call-groups.ts'

const schedule = (start: () => void) => void setTimeout(start)

/** Doubles numbers in groups, each of which ends when the test ends it. */
function doubling(options: { mostCalls?: number; mostGroups?: number } = {}) {
  const groups: { calls: readonly number[]; end: (error?: Error) => void }[] = []
  const call = callGroups<number, number>({
    mostCalls: 10,
    mostGroups: 1,
    ...options,
    schedule,
    run: (calls) =>
      new Promise((resolve, reject) => {
        const end = (error?: Error) => (error ? reject(error) : resolve(calls.map((number) => 2 * number)))
        groups.push({ calls, end })
      }),
  })
  const until = (count: number) => vi.waitFor(() => expect(groups).toHaveLength(count))
  return { call, groups, until, begun: () => groups.map(({ calls }) => calls) }
}

it('runs the calls of one turn together and gives each its result', async () => {
  const { call, groups, until, begun } = doubling()
  const results = Promise.all([1, 2, 3].map(call))
  await until(1)
  expect(begun()).toEqual([[1, 2, 3]])
  groups[0]?.end()
  expect(await results).toEqual([2, 4, 6])
})

it('collects the calls that are made while a group runs', async () => {
  const { call, groups, until, begun } = doubling()
  const first = call(1)
  await until(1)
  const others = Promise.all([call(2), call(3)])
  groups[0]?.end()
  await first
  await until(2)
  groups[1]?.end()
  expect(await others).toEqual([4, 6])
  expect(begun()).toEqual([[1], [2, 3]])
})

it('divides many calls into groups of the most size, and runs as many at the same time as it may', async () => {
  const { call, groups, until, begun } = doubling({ mostCalls: 2, mostGroups: 2 })
  const results = Promise.all([1, 2, 3, 4, 5].map(call))
  await until(2)
  expect(begun()).toEqual([
    [1, 2],
    [3, 4],
  ])
  groups[1]?.end()
  await until(3)
  expect(begun()[2]).toEqual([5])
  groups[0]?.end()
  groups[2]?.end()
  expect(await results).toEqual([2, 4, 6, 8, 10])
})

it('rejects the calls of a group that fails, and no others', async () => {
  const { call, groups, until } = doubling({ mostCalls: 1, mostGroups: 2 })
  const [failing, working] = [call(1), call(2)]
  await until(2)
  groups[0]?.end(new Error('down'))
  groups[1]?.end()
  await expect(failing).rejects.toThrow('down')
  expect(await working).toBe(4)
})

it('gives a call the result that a group promises for it', async () => {
  const call = callGroups<number, number>({
    mostCalls: 10,
    mostGroups: 1,
    schedule,
    run: async (calls) =>
      calls.map((number) => (number > 1 ? Promise.resolve(-number) : Promise.reject(new Error('no')))),
  })
  const [failing, working] = [call(1), call(2)]
  await expect(failing).rejects.toThrow('no')
  expect(await working).toBe(-2)
})
