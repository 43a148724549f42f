import { expect, it } from 'vitest'
import { parseTurn } from './parse-turns.ts'

const LARGE = 2 ** 20

it('parseTurn lets the event loop run between two large bodies, also where the first ends before the second arrives', async () => {
  const order: string[] = []
  const first = await parseTurn(LARGE)
  setImmediate(() => order.push('the event loop'))
  first?.()
  const second = parseTurn(LARGE)?.then((end) => {
    order.push('the second body')
    end()
  })
  const third = parseTurn(LARGE)?.then((end) => {
    order.push('the third body')
    end()
  })
  await Promise.all([second, third])
  expect(order).toEqual(['the event loop', 'the second body', 'the third body'])
})

it('parseTurn does not delay small bodies', () => {
  expect(parseTurn(1000)).toBeUndefined()
})
