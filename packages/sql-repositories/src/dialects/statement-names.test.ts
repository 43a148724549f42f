import { expect, it } from 'vitest'
import { statementNames } from './statement-names.ts'

it('names a text that came five times, and keeps its name', () => {
  const nameOf = statementNames()
  const names = Array.from({ length: 7 }, () => nameOf('select 1'))
  expect(names).toEqual([undefined, undefined, undefined, undefined, names[6], names[6], names[6]])
  expect(names[6]).toBeDefined()
})

it('gives every text another name, and a bounded number of them', () => {
  const nameOf = statementNames()
  const names = new Set<string | undefined>()
  for (let text = 0; text < 500; text += 1) {
    for (let use = 0; use < 5; use += 1) names.add(nameOf(`select ${text}`))
  }
  names.delete(undefined)
  expect(names.size).toBe(200)
})

it('never names what comes once', () => {
  const nameOf = statementNames()
  for (let text = 0; text < 5_000; text += 1) expect(nameOf(`select ${text}`)).toBeUndefined()
})
