import { createStorage, type StorageOptions } from '@trivium/storage-core'
import { memoryStorageRepositories } from '@trivium/storage-core/memory'
import { expect, it } from 'vitest'

const open = (options: Partial<StorageOptions>) =>
  createStorage({ repositories: memoryStorageRepositories(), ...options })

const names = ['leaseSeconds', 'lookSeconds', 'usageSeconds', 'inspectSeconds', 'jobRetentionSeconds', 'splitSliceSize']

it.each(names)('refuses a value of %s that is out of range, and names the option', (name) => {
  for (const value of [0, -1, Number.NaN, Number.POSITIVE_INFINITY])
    expect(() => open({ [name]: value })).toThrow(new RegExp(`^'${name}' must be a number from`))
})

it.each(
  names.filter((name) => /^(lease|look|usage|inspect)/.test(name)),
)('refuses a value of %s above the maximum of timers', (name) => {
  expect(() => open({ [name]: 2_147_484 })).toThrow(RangeError)
  expect(() => open({ [name]: 2_147_483 })).not.toThrow()
})

it('refuses an interval of the history that is out of range, and takes 0', () => {
  for (const historySeconds of [1, 59, 1801, -1, Number.NaN]) {
    expect(() => open({ historySeconds })).toThrow(/^'historySeconds' must be a number from 60 to 1800/)
  }
  for (const historySeconds of [0, 60, 1800]) expect(() => open({ historySeconds })).not.toThrow()
  expect(() => open({ historyDays: 0 })).toThrow(/^'historyDays'/)
  expect(() => open({ metricTargets: -1 })).toThrow(/^'metricTargets'/)
})
