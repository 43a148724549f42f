import { describe, expect, it } from 'vitest'
import { accessRule, checkAccessRules } from './access-rules.ts'

describe('accessRule', () => {
  it.each([
    [undefined, undefined],
    [{}, undefined],
    [{ show: 'open' }, 'open'],
    [{ '*': 'admin' }, 'admin'],
    [{ '*': 'default' }, undefined],
    [{ '*': 'open', show: 'default' }, undefined],
    [{ '*': 'admin', show: 'open' }, 'open'],
    [{ take: 'open' }, undefined],
  ])('finds in the rules %j for the operation `show` the rule %j', (rules, expected) => {
    expect(accessRule(rules, 'show')).toBe(expected)
  })
})

describe('checkAccessRules', () => {
  it.each([
    undefined,
    {},
    { show: 'open', '*': 'default', take: () => undefined },
    { show: undefined },
  ])('accepts the rules %j', (rules) => {
    expect(() => checkAccessRules(rules, ['show', 'take'], ['open', 'admin'])).not.toThrow()
  })

  it.each([
    [{ shwo: 'open' }, "'authorize' has a rule for 'shwo', which is not an operation"],
    [{ constructor: 'open' }, "'authorize' has a rule for 'constructor', which is not an operation"],
    [{ show: 'key' }, "The rule of 'authorize' for 'show' must be a function or one of 'open', 'admin', 'default'"],
    [{ '*': true }, "The rule of 'authorize' for '*' must be a function or one of 'open', 'admin', 'default'"],
  ])('throws for the rules %j', (rules, message) => {
    expect(() => checkAccessRules(rules, ['show'], ['open', 'admin'])).toThrow(message)
  })
})
