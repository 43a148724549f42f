import { describe, expect, it } from 'vitest'
import { settingNames } from './settings.ts'
import { unknownVariables } from './unknown-variables.ts'

describe('unknownVariables', () => {
  it('warns of a variable that begins with TRIVIUM_ and is not a setting, without its value', () => {
    expect(unknownVariables({ TRIVIUM_RUN_AS: 'trivium', RUN_AS: 'x' })).toEqual([
      'Warning: TRIVIUM_RUN_AS is not a setting and has no effect. --help lists all settings.',
    ])
  })

  it.each([
    ['TRIVIUM_DURABILTY', 'TRIVIUM_DURABILITY'],
    ['TRIVIUM_ADMIN_PASSWORT', 'TRIVIUM_ADMIN_PASSWORD'],
    ['TRIVIUM_TRUSTED_PROXY', 'TRIVIUM_TRUST_PROXY'],
    ['TRIVIUM_SERVICE', 'TRIVIUM_SERVICES'],
  ])('suggests for %s the setting %s', (name, meant) => {
    expect(unknownVariables({ [name]: 'secret' })).toEqual([
      `Warning: ${name} is not a setting and has no effect. Did you mean ${meant}?`,
    ])
  })

  it('returns no warning for settings and for the variables of the tests', () => {
    const names = [...settingNames, 'TRIVIUM_CONFIG', 'TRIVIUM_REQUIRE_SERVICES', 'PATH']
    expect(unknownVariables(Object.fromEntries(names.map((name) => [name, '1'])))).toEqual([])
  })
})
