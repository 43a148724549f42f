import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { shellLine, shellWords, UnreadableWords } from './shell-words.ts'

describe('shellWords', () => {
  it.each([
    ['', []],
    ['   ', []],
    ['-smp 2  -cpu host', ['-smp', '2', '-cpu', 'host']],
    [`-name 'two words'`, ['-name', 'two words']],
    [`"a b"'c d'e\\ f`, ['a bc de f']],
    [`'' ""`, ['', '']],
    ['"a\\"b\\\\c\\d\\$e"', ['a"b\\c\\d$e']],
    ["'a\\'", ['a\\']],
    ['a\\\\b', ['a\\b']],
    ['$HOME `id` $(id) ; | * ~ # >x', ['$HOME', '`id`', '$(id)', ';', '|', '*', '~', '#', '>x']],
    ['a\tb\nc', ['a', 'b', 'c']],
  ])('splits the line %j', (line, words) => {
    expect(shellWords(line)).toEqual(words)
  })

  it.each(["'open", '"open', 'end\\', 'nul\0', '"end\\'])('refuses the line %j', (line) => {
    expect(() => shellWords(line)).toThrow(UnreadableWords)
  })

  it('splits a line of shellLine into the same words', () => {
    const word = fc.string({ unit: 'binary' }).filter((text) => !text.includes('\0'))
    fc.assert(
      fc.property(fc.array(word), (words) => {
        expect(shellWords(shellLine(words))).toEqual(words)
      }),
    )
  })

  it('splits every line or throws UnreadableWords', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...`ab '"\\\n$`) }), (line) => {
        try {
          for (const word of shellWords(line)) expect(typeof word).toBe('string')
        } catch (error) {
          expect(error).toBeInstanceOf(UnreadableWords)
        }
      }),
    )
  })
})
