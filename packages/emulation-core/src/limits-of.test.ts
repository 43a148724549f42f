import { describe, expect, it } from 'vitest'
import type { EmulationLimits } from './context.ts'
import { limitsOf } from './limits-of.ts'

describe('limitsOf', () => {
  const defaults = limitsOf({})
  const names = Object.keys(defaults)

  it('replaces defaults by the limits of the host', () => {
    expect(limitsOf({ captureDays: 2, projects: 0 })).toEqual({ ...defaults, captureDays: 2, projects: 0 })
  })

  it.each(names)('refuses %s out of its range, and names it', (name) => {
    const refused = [-1, Number.NaN, Number.POSITIVE_INFINITY]
    for (const value of refused) {
      const limits: Partial<EmulationLimits> = { [name]: value }
      expect(() => limitsOf(limits)).toThrow(new RegExp(`^'${name}' must be a number from`))
    }
  })

  it.each(names.filter((name) => /bytes|days|seconds/i.test(name)))('refuses %s of 0', (name) => {
    expect(() => limitsOf({ [name]: 0 })).toThrow(RangeError)
  })
})
