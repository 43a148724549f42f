import { expect, it, onTestFinished } from 'vitest'
import { openDatabase } from '../../open-database.ts'
import { migrateStorage } from '../migrate-storage.ts'
import { sqlNotices } from '../sql-notices.ts'

it('lets others run while the rows of a large page are read', async () => {
  const database = await openDatabase('memory:')
  onTestFinished(() => database.close())
  await migrateStorage(database)
  const notices = sqlNotices(database)
  const at = new Date(0)
  for (let number = 0; number < 2500; number += 1) {
    await notices.publish({ id: `n${number}`, kind: 'split-done', at }, at)
  }
  let turns = 0
  let next = setImmediate(function count() {
    turns += 1
    next = setImmediate(count)
  })
  const { records } = await notices.list({ query: { all: [] }, order: [], limit: 2500 })
  clearImmediate(next)
  expect(records.map(({ number }) => number)).toEqual(records.map((_, index) => index + 1))
  expect(turns).toBeGreaterThanOrEqual(2)
})
