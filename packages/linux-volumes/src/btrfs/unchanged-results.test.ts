import { expect, it } from 'vitest'
import { unchangedResults } from './unchanged-results.ts'

function open() {
  const state = { generation: 'a/1' as string | undefined, now: 0, reads: 0 }
  const results = unchangedResults<number>({
    generation: async () => state.generation,
    commitMs: 30_000,
    now: () => state.now,
  })
  const readWhile = (step: () => void, key = 'k') =>
    results(key, async () => {
      step()
      return ++state.reads
    })
  return { state, readWhile, read: (key?: string) => readWhile(() => undefined, key) }
}

it('unchangedResults keeps a result that was read after the transaction had ended', async () => {
  const { state, read } = open()
  expect(await read()).toBe(1)
  state.now = 44_000
  expect(await read()).toBe(2)
  state.now = 46_000
  expect(await read()).toBe(3)
  state.now = 9_999_000
  expect(await read()).toBe(3)
})

it.each([
  ['a write', 'a/2', 'k'],
  ['another file system', 'b/1', 'k'],
  ['another key', 'a/1', 'other'],
  ['an unknown generation', undefined, 'k'],
])('unchangedResults reads again after %s', async (_, generation, key) => {
  const { state, read } = open()
  await read()
  state.now = 60_000
  expect(await read()).toBe(2)
  state.generation = generation
  expect(await read(key)).toBe(3)
})

it('unchangedResults keeps no result during which something was written', async () => {
  const { state, read, readWhile } = open()
  await read()
  state.now = 60_000
  await readWhile(() => {
    state.generation = 'a/2'
  })
  state.generation = 'a/1'
  expect(await read()).toBe(3)
})
