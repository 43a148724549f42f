import { expect, it } from 'vitest'
import { type Budget, readBudgets } from '../scripts/budgets/budgets.ts'
import { overBudgets } from '../scripts/budgets/over-budgets.ts'
import { readManifests } from '../scripts/packages/package-manifest.ts'

/** What every published package may weigh is written down, and weighing more is a failed check. */
const budget: Budget = {
  packedKilobytes: 10,
  unpackedKilobytes: 40,
  dependencies: 1,
  dependenciesKilobytes: 100,
  importMs: 50,
}

it('gives every published package a budget', () => {
  expect([...readBudgets().keys()].toSorted()).toEqual([...readManifests().keys()].toSorted())
})

it('says which budget a package is over, and is content with one that is used up', () => {
  const budgets = new Map([['one', budget]])
  expect(overBudgets(new Map([['one', budget]]), budgets)).toEqual([])
  expect(overBudgets(new Map([['one', { ...budget, dependencies: 2 }]]), budgets)).toEqual([
    'one: dependencies is 2, its budget 1',
  ])
})

it('complains of a package without a budget and of a budget without a package', () => {
  expect(overBudgets(new Map([['other', budget]]), new Map([['one', budget]]))).toEqual([
    'other has no budget in scripts/budgets.json',
    'one has a budget and is no package',
  ])
})
