import { expect, it } from 'vitest'
import { type Budget, readBudgets } from '../scripts/budgets/budgets.ts'
import { overBudgets } from '../scripts/budgets/over-budgets.ts'
import { readManifests } from '../scripts/packages/package-manifest.ts'

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

it('reports a package that exceeds its budget, and accepts one that uses all of it', () => {
  const budgets = new Map([['one', budget]])
  expect(overBudgets(new Map([['one', budget]]), budgets)).toEqual([])
  expect(overBudgets(new Map([['one', { ...budget, dependencies: 2 }]]), budgets)).toEqual([
    'one: dependencies is 2, its budget 1',
  ])
})

it('reports a package without a budget and a budget without a package', () => {
  expect(overBudgets(new Map([['other', budget]]), new Map([['one', budget]]))).toEqual([
    'other has no budget in scripts/budgets.json',
    'one has a budget and is not a package',
  ])
})
