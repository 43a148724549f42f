import { expect, it } from 'vitest'
import type { NewActivity } from './activity.ts'
import { createActivityLog } from './activity-log.ts'

const activityWith = (summary: string): NewActivity => ({
  service: 'gateway',
  type: 'key.created',
  summary,
  topics: ['keys'],
  ids: {},
})

async function take(reader: AsyncGenerator<{ readonly number: number }>, count: number): Promise<number[]> {
  const numbers: number[] = []
  while (numbers.length < count) {
    const { value } = await reader.next()
    if (value) numbers.push(value.number)
  }
  return numbers
}

it('reads the kept activities after a number, then each new one', async () => {
  const log = createActivityLog()
  const { signal } = new AbortController()
  log.add(activityWith('one'))
  log.add(activityWith('two'))
  const reader = log.read(1, signal)
  expect(await take(reader, 1)).toEqual([2])
  const next = take(reader, 2)
  log.add(activityWith('three'))
  log.add(activityWith('four'))
  expect(await next).toEqual([3, 4])
})

it('leaves a gap in the numbers for a slow reader when activities were dropped', async () => {
  const log = createActivityLog({ size: 2 })
  const reader = log.read(0, new AbortController().signal)
  log.add(activityWith('one'))
  expect(await take(reader, 1)).toEqual([1])
  for (const name of ['two', 'three', 'four']) log.add(activityWith(name))
  expect(await take(reader, 2)).toEqual([3, 4])
})

it('begins with the first activity when the number of a reader is from an earlier process', async () => {
  const log = createActivityLog()
  log.add(activityWith('one'))
  expect(await take(log.read(500, new AbortController().signal), 1)).toEqual([1])
})

it('ends the reader when the signal aborts, also while it waits', async () => {
  const log = createActivityLog()
  const controller = new AbortController()
  const next = log.read(0, controller.signal).next()
  controller.abort()
  expect(await next).toEqual({ done: true, value: undefined })
})
