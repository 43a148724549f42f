import BetterSqlite3 from 'better-sqlite3'
import { expect, it } from 'vitest'
import { statementCache } from './sqlite-statements.ts'

it('prepares a statement once, and drops the oldest of more than 256', () => {
  const sqlite = new BetterSqlite3(':memory:')
  const prepared: string[] = []
  const prepare = statementCache({
    close: () => {},
    prepare: (text) => {
      prepared.push(text)
      return sqlite.prepare(text)
    },
  })
  for (let round = 0; round < 2; round += 1) {
    for (let index = 0; index < 256; index += 1) prepare(`select ${index}`)
  }
  expect(prepared).toHaveLength(256)
  prepare('select 256')
  prepare('select 1')
  prepare('select 0')
  expect(prepared.slice(256)).toEqual(['select 256', 'select 0'])
  sqlite.close()
})
