import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CallArguments } from './call-arguments.ts'
import { MOST_CHARACTERS, MOST_VALUES } from './json-allowance.ts'
import { valuesIn } from './requests/json-values-in.ts'

const parsed = (text: string) => new CallArguments().parse(text)._unsafeUnwrap()

describe('the arguments of calls', () => {
  it('parses the arguments of a call to the object that their text has', () => {
    expect([parsed('{"a":[1]}'), parsed(''), parsed(' ')]).toEqual([{ a: [1] }, {}, {}])
  })

  it.each([
    '{"a":"lo',
    '{"a":1}}',
    '[1]',
    '"x"',
    'null',
  ])('puts the arguments %s into a member of their own where they are not the JSON of an object', (text) => {
    expect(parsed(text)).toEqual({ INVALID_JSON: text })
  })

  it('refuses arguments with too many values, characters or levels, which all calls of a request share', () => {
    const list = (count: number) => `{"a":[${'1,'.repeat(count)}1]}`
    const deep = `${'{"a":'.repeat(300)}1${'}'.repeat(300)}`
    const excessive = [list(MOST_VALUES), deep, `{"a":"${'x'.repeat(MOST_CHARACTERS)}"}`]
    for (const text of excessive) expect(new CallArguments().parse(text).isErr()).toBe(true)
    const shared = new CallArguments()
    expect(shared.parse(list(MOST_VALUES / 2)).isErr()).toBe(false)
    expect(shared.parse(list(MOST_VALUES / 2)).isErr()).toBe(true)
  })

  it('counts values up to the first excess', () => {
    expect(valuesIn('{"a":[1,2],"b":{}}', 100)).toBe(6)
    expect(valuesIn('[1,2,3,4,5,6,7,8]', 3)).toBe(4)
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(valuesIn(JSON.stringify(text), 9)).toBe(1)
      }),
    )
  })
})
