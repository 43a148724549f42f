import { afterEach, beforeEach, describe, expect, it, type MockInstance, vi } from 'vitest'
import { createFaultReporter } from './fault-reporter.ts'
import { StoreFailure } from './store-failure.ts'

describe('createFaultReporter', () => {
  let printed: MockInstance<typeof console.error>
  let now = 0
  beforeEach(() => {
    now = 100_000
    printed = vi.spyOn(console, 'error').mockReturnValue()
    vi.spyOn(performance, 'now').mockImplementation(() => now)
  })
  afterEach(() => vi.restoreAllMocks())

  it('prints a fault of a request after its operation, and one of background work as such', () => {
    const report = createFaultReporter()
    const failure = new StoreFailure(new Error('no such table: api_keys'))
    const fault = new Error('the disk is full')
    report(failure, 'listKeys')
    report(fault)
    expect(printed.mock.calls).toEqual([
      ['listKeys has failed:', failure],
      ['Background work of the gateway has failed:', fault],
    ])
  })

  it('prints equal faults once in 10 seconds, and those of other causes separately', () => {
    const report = createFaultReporter()
    for (const cause of ['locked', 'locked', 'full', 'locked']) report(new StoreFailure(new Error(cause)), 'listKeys')
    expect(printed).toHaveBeenCalledTimes(2)
    now += 10_000
    report(new StoreFailure(new Error('locked')), 'listKeys')
    expect(printed.mock.calls.at(-1)?.[0]).toBe('listKeys has failed (2 more since the last line):')
  })

  it('prints faults that have no text', () => {
    const report = createFaultReporter()
    const fault: unknown = Object.create(null)
    const failure = new StoreFailure(Object.create(null))
    report(fault, 'listKeys')
    report(failure, 'createKey')
    expect(printed.mock.calls).toEqual([
      ['listKeys has failed:', fault],
      ['createKey has failed:', failure],
    ])
  })

  it('prints a sentence in place of a fault that the console cannot print', () => {
    printed.mockImplementationOnce(() => {
      throw new Error('cannot be inspected')
    })
    createFaultReporter()(new Error('a fault'), 'listKeys')
    expect(printed.mock.lastCall).toEqual(['listKeys has failed:', 'The error cannot be converted to text.'])
  })

  it('prints about a hundred lines of a thousand different faults', () => {
    const report = createFaultReporter()
    for (let count = 0; count < 1000; count += 1) report(new Error(`fault ${count}`), 'listKeys')
    expect(printed).toHaveBeenCalledTimes(101)
  })

  it('ignores what the listener of the host throws', () => {
    const report = createFaultReporter(() => {
      throw new Error('the log is closed')
    })
    expect(() => report(new Error('a fault'))).not.toThrow()
    expect(printed).not.toHaveBeenCalled()
  })
})
