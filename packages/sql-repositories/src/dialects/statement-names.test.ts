import { expect, it } from 'vitest'
import { statementNames } from './statement-names.ts'

it('names a statement at its fifth use, and keeps the name', () => {
  const nameOf = statementNames()
  const names = Array.from({ length: 7 }, () => nameOf('select 1'))
  expect(names).toEqual([undefined, undefined, undefined, undefined, names[6], names[6], names[6]])
  expect(names[6]).toBeDefined()
})

it('gives each statement its own name, up to 200 names', () => {
  const nameOf = statementNames()
  const names = new Set<string | undefined>()
  for (let text = 0; text < 500; text += 1) {
    for (let use = 0; use < 5; use += 1) names.add(nameOf(`select ${text}`))
  }
  names.delete(undefined)
  expect(names.size).toBe(200)
})

it('never names a statement that is used once', () => {
  const nameOf = statementNames()
  for (let text = 0; text < 5_000; text += 1) expect(nameOf(`select ${text}`)).toBeUndefined()
})
