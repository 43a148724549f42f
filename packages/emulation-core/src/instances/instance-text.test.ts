import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { withName, withNewName } from './instance-text.ts'

describe('withName', () => {
  it('replaces every %h by the name', () => {
    expect(withName('set pcname %h\necho %h!', 'PC1')._unsafeUnwrap()).toBe('set pcname PC1\necho PC1!')
  })

  it('inserts names with any characters unchanged', () => {
    fc.assert(
      fc.property(fc.array(fc.string()), fc.string(), (parts, name) => {
        const clean = parts.map((part) => part.replaceAll('%', '').replaceAll('h', ''))
        expect(withName(clean.join('%h'), name)._unsafeUnwrap()).toBe(clean.join(name))
      }),
    )
  })
})

describe('withNewName', () => {
  it.each([
    ['set pcname PC1', 'PC1', 'PC2', 'set pcname PC2'],
    ['PC1 PC10 PC1-a (PC1) PC1', 'PC1', 'X', 'X PC10 PC1-a (X) X'],
    ['PC1PC1 PC1', 'PC1', 'X', 'PC1PC1 X'],
    ['R 1 and R 10', 'R 1', '$&', '$& and R 10'],
    ['a(b)c', '(b)', 'x', 'axc'],
    ['none', 'PC1', 'X', 'none'],
    ['', 'PC1', 'X', ''],
    ['PC1', 'PC1', 'PC1', 'PC1'],
  ])('changes %j, renamed from %j to %j, to %j', (text, before, after, expected) => {
    expect(withNewName(text, before, after)._unsafeUnwrap()).toBe(expected)
  })

  it('restores the text when the name changes back, if the text did not have the new name', () => {
    const word = fc.stringMatching(/^[a-z]{1,6}$/)
    fc.assert(
      fc.property(fc.array(word), word, (words, name) => {
        const text = words.join(' ')
        const renamed = withNewName(text, name, 'NEW')._unsafeUnwrap()
        expect(withNewName(renamed, 'NEW', name)._unsafeUnwrap()).toBe(text)
      }),
    )
  })
})

describe('the limit of texts', () => {
  const refused = { type: 'text-too-long', limit: 2 ** 20 }

  it('counts bytes after names are inserted', () => {
    expect(withName('%h'.repeat(2 ** 18), 'four').isOk()).toBe(true)
    expect(withName('%h'.repeat(2 ** 18), 'fives')._unsafeUnwrapErr()).toEqual(refused)
    expect(withName('%h'.repeat(2 ** 18), 'übü')._unsafeUnwrapErr()).toEqual(refused)
    expect(withNewName('a '.repeat(2 ** 18), 'a', 'b'.repeat(3)).isOk()).toBe(true)
    expect(withNewName('a '.repeat(2 ** 18), 'a', 'b'.repeat(4))._unsafeUnwrapErr()).toEqual(refused)
  })
})
