import { describe, expect, it } from 'vitest'
import { concealed, resolveReferences } from '../../src/config/read/references.ts'

describe('resolveReferences', () => {
  it('replaces each text that is exactly $NAME, at any depth, and names the variables', () => {
    const value = { api_key: '$KEY', list: ['$KEY', { deep: '$_OTHER_1' }], number: 1, none: null }
    const resolved = resolveReferences(value, { KEY: 'k', _OTHER_1: 'o' })
    expect(resolved.value).toEqual({ api_key: 'k', list: ['k', { deep: 'o' }], number: 1, none: null })
    expect([...resolved.referenced]).toEqual(['KEY', '_OTHER_1'])
    expect(resolved.mistakes).toEqual([])
  })

  it.each([
    ['$$KEY', '$KEY'],
    ['$$$', '$$'],
    ['a$KEY', 'a$KEY'],
    ['$KEY-1', '$KEY-1'],
    ['$5', '$5'],
    ['$', '$'],
    ['sk-[a-z]+$', 'sk-[a-z]+$'],
  ])('reads %s as %s', (text, read) => {
    expect(resolveReferences([text], { KEY: 'k' }).value).toEqual([read])
  })

  it.each([
    ['what begins with $$', '$$ Bearer $OAI_KEY', '$ Bearer $OAI_KEY'],
    ['a dollar within a word', 'sk-a$OAI_KEY', 'sk-a$OAI_KEY'],
    ['an amount', 'at $5.00', 'at $5.00'],
    ['small letters', 'a $word', 'a $word'],
  ])('passes on %s in a header as it is', (_, text, read) => {
    const { value, mistakes } = resolveReferences({ upstreams: [{ headers: { 'x-a': text } }] }, {})
    expect(value).toEqual({ upstreams: [{ headers: { 'x-a': read } }] })
    expect(mistakes).toEqual([])
  })

  it('passes on what a variable has within its text', () => {
    const { value, mistakes } = resolveReferences({ upstreams: [{ api_key: '$A' }] }, { A: 'a $BB $CCC' })
    expect(value).toEqual({ upstreams: [{ api_key: 'a $BB $CCC' }] })
    expect(mistakes).toEqual([])
  })

  it('leaves out the end of the line with which files of secrets end', () => {
    expect(resolveReferences(['$A', '$B'], { A: 'a\n', B: 'b\r\n' }).value).toEqual(['a', 'b'])
    expect(resolveReferences(['$A'], { A: '\n' }).mistakes).toHaveLength(1)
  })

  it('replaces a value once, and not what a variable contains', () => {
    expect(resolveReferences(['$A'], { A: '$B', B: 'secret' }).value).toEqual(['$B'])
  })

  it('names the places of variables', () => {
    const { references } = resolveReferences({ a: ['$KEY', 'b'], c: { d: '$KEY' }, e: '$UNSET' }, { KEY: 'k' })
    expect(references).toEqual([
      ['a', 0],
      ['c', 'd'],
    ])
  })

  it('names the place and the variable where it is not set, or empty', () => {
    const { mistakes } = resolveReferences({ a: ['$EMPTY'], b: '$UNSET' }, { EMPTY: '' })
    expect(mistakes).toEqual([
      { path: ['a', 0], message: 'is $EMPTY, but the variable EMPTY is not set' },
      { path: ['b'], message: 'is $UNSET, but the variable UNSET is not set' },
    ])
  })
})

describe('concealed', () => {
  it('replaces values by the names of their variables, also one within another, and leaves words', () => {
    const environment = { KEY: 'sk-aaaa', LONG: 'sk-aaaa-bbbb', SHORT: 'is' }
    const text = 'sk-aaaa-bbbb is like sk-aaaa'
    expect(concealed(text, ['KEY', 'LONG', 'SHORT', 'UNSET'], environment)).toBe('$LONG is like $KEY')
  })
})
