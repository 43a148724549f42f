import { describe, expect, it } from 'vitest'
import { settingNames } from './settings.ts'
import { unknownVariables } from './unknown-variables.ts'

describe('unknownVariables', () => {
  it('reports what begins as a setting and is not one, without its value', () => {
    expect(unknownVariables({ TRIVIUM_RUN_AS: 'trivium', RUN_AS: 'x' })).toEqual([
      'Warning: TRIVIUM_RUN_AS is not a setting and changes nothing; --help lists all',
    ])
  })

  it.each([
    ['TRIVIUM_DURABILTY', 'TRIVIUM_DURABILITY'],
    ['TRIVIUM_ADMIN_PASSWORT', 'TRIVIUM_ADMIN_PASSWORD'],
    ['TRIVIUM_TRUSTED_PROXY', 'TRIVIUM_TRUST_PROXY'],
    ['TRIVIUM_SERVICE', 'TRIVIUM_SERVICES'],
  ])('names for %s the setting %s', (name, meant) => {
    expect(unknownVariables({ [name]: 'secret' })).toEqual([
      `Warning: ${name} is not a setting and changes nothing; is ${meant} meant?`,
    ])
  })

  it('leaves out settings, and what the tests have', () => {
    const names = [...settingNames, 'TRIVIUM_CONFIG', 'TRIVIUM_REQUIRE_SERVICES', 'PATH']
    expect(unknownVariables(Object.fromEntries(names.map((name) => [name, '1'])))).toEqual([])
  })
})
