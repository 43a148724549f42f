import { afterEach, beforeEach, describe, expect, it, type MockInstance, vi } from 'vitest'
import { defineContract, implement } from './index.ts'

const mount = { origin: 'http://test', path: '' }

const contract = defineContract({ breakThing: { method: 'GET', path: '/things', responses: {} } })

const reply = { kind: 'empty', status: 500, headers: {} } as const
const failures = {
  malformed: () => reply,
  invalid: () => reply,
  tooLarge: () => reply,
  methodNotAllowed: () => reply,
  unexpected: () => reply,
  interrupted: () => 'cut',
}

describe('implement without an `onFault`', () => {
  let printed: MockInstance<typeof console.error>
  let now = 0
  beforeEach(() => {
    now = 100_000
    printed = vi.spyOn(console, 'error').mockReturnValue()
    vi.spyOn(performance, 'now').mockImplementation(() => now)
  })
  afterEach(() => vi.restoreAllMocks())

  const failWith = (...errors: readonly unknown[]) => {
    const [route] = implement(contract, { breakThing: () => ({}) as never }, { failures })
    return (error: unknown = errors[0]) => route?.fail(error, mount)
  }

  it('prints a fault after its operation', () => {
    const error = new Error('the disk is full')
    failWith(error)()
    expect(printed.mock.calls).toEqual([['GET /things (breakThing) has failed:', error]])
  })

  it('prints equal faults of an operation once in 10 seconds, with the number of those left out', () => {
    const fail = failWith(new Error('the disk is full'))
    for (let count = 0; count < 1000; count += 1) fail()
    fail(new Error('another'))
    expect(printed).toHaveBeenCalledTimes(2)
    now += 10_000
    fail()
    expect(printed.mock.calls.at(-1)?.[0]).toBe('GET /things (breakThing) has failed (999 more since the last line):')
  })

  it('prints a fault that has no text', () => {
    const error: unknown = Object.create(null)
    failWith(error)()
    expect(printed.mock.calls).toEqual([['GET /things (breakThing) has failed:', error]])
  })

  it('prints a sentence in place of a fault that the console cannot print', () => {
    printed.mockImplementationOnce(() => {
      throw new Error('cannot be inspected')
    })
    failWith(new Error('a fault'))()
    expect(printed.mock.lastCall).toEqual([
      'GET /things (breakThing) has failed:',
      'The error cannot be converted to text.',
    ])
  })

  it('prints about a hundred lines of a thousand different faults', () => {
    const fail = failWith()
    for (let count = 0; count < 1000; count += 1) fail(new Error(`fault ${count}`))
    expect(printed).toHaveBeenCalledTimes(101)
  })
})
