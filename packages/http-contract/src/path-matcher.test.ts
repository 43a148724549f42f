import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { pathMatcher } from './path-matcher.ts'
import { nameValues, parseTemplate } from './path-template.ts'

const item = (path: string, slashes: 'exact' | 'lenient' = 'exact') => ({ template: parseTemplate(path), slashes })

function matchWith(...items: readonly ReturnType<typeof item>[]) {
  const match = pathMatcher(items)
  return (path: string) => {
    const found = match(path)
    return found && [found.item.template.source, nameValues(found.item.template, found.values)]
  }
}

describe('pathMatcher', () => {
  it('prefers a literal segment, then a parameter, then the rest', () => {
    const match = matchWith(item('/a/{rest+}'), item('/a/{one}'), item('/a/b'), item('/a/{one}/c'))
    expect(match('/a/b')).toEqual(['/a/b', {}])
    expect(match('/a/x')).toEqual(['/a/{one}', { one: 'x' }])
    expect(match('/a/x/c')).toEqual(['/a/{one}/c', { one: 'x' }])
    expect(match('/a/x/d')).toEqual(['/a/{rest+}', { rest: 'x/d' }])
  })

  it('tries another template when a longer match fails, and keeps no value of the first', () => {
    const match = matchWith(item('/{x}/b/c'), item('/a/{y}/d'))
    expect(match('/a/b/c')).toEqual(['/{x}/b/c', { x: 'a' }])
    expect(match('/a/b/d')).toEqual(['/a/{y}/d', { y: 'b' }])
  })

  it('matches no path with another case, doubled or trailing slashes', () => {
    const match = matchWith(item('/a/{one}'), item('/a'))
    for (const path of ['/A', '/a/', '//a', '/a//x', '/a/x/', '/', '', 'xa', 'a']) expect(match(path)).toBeUndefined()
  })

  it('ignores doubled and trailing slashes where a route is lenient', () => {
    const match = matchWith(item('/a/{one}', 'lenient'), item('/a/{one}/r/{rest+}', 'lenient'), item('/exact'))
    expect(match('//a///x/')).toEqual(['/a/{one}', { one: 'x' }])
    expect(match('/a/x/r/y//z/')).toEqual(['/a/{one}/r/{rest+}', { one: 'x', rest: 'y/z' }])
    expect(match('/exact/')).toBeUndefined()
  })

  it('keeps a slash at the end of a template', () => {
    const match = matchWith(item('/docs/'), item('/'))
    expect(match('/docs/')).toEqual(['/docs/', {}])
    expect(match('/docs')).toBeUndefined()
    expect(match('/')).toEqual(['/', {}])
    expect(match('')).toEqual(['/', {}])
  })

  it('returns a value with an invalid percent-encoding as it was sent', () => {
    const match = matchWith(item('/a/{one}'))
    expect(match('/a/100%')).toEqual(['/a/{one}', { one: '100%' }])
    expect(match('/a/%FF')).toEqual(['/a/{one}', { one: '%FF' }])
  })

  it('decodes any text that was encoded into a segment or the rest', () => {
    const match = matchWith(item('/v/{one}/x/{rest+}'))
    const text = fc.string({ unit: 'grapheme', minLength: 1 })
    fc.assert(
      fc.property(text, fc.array(text, { minLength: 1 }), (one, rest) => {
        const path = `/v/${encodeURIComponent(one)}/x/${rest.map(encodeURIComponent).join('/')}`
        expect(match(path)).toEqual(['/v/{one}/x/{rest+}', { one, rest: rest.join('/') }])
      }),
    )
  })

  it('finds the same template as a search through all of them in the order of their segments', () => {
    const segment = fc.constantFrom('a', 'b', '{}')
    const templates = fc.uniqueArray(fc.array(segment, { minLength: 1, maxLength: 3 }), {
      selector: (segments) => segments.join('/'),
      minLength: 1,
      maxLength: 8,
    })
    const rank = (segments: readonly string[]) => segments.map((one) => (one === '{}' ? 1 : 0)).join('')
    fc.assert(
      fc.property(templates, fc.array(fc.constantFrom('a', 'b', 'c'), { minLength: 1, maxLength: 3 }), (all, path) => {
        const match = matchWith(
          ...all.map((segments) => item(`/${segments.map((one, at) => (one === '{}' ? `{p${at}}` : one)).join('/')}`)),
        )
        const fits = all.filter(
          (segments) =>
            segments.length === path.length && segments.every((one, at) => one === '{}' || one === path[at]),
        )
        const best = fits.toSorted((one, other) => rank(one).localeCompare(rank(other)))[0]
        const found = match(`/${path.join('/')}`)
        expect(found && String(found[0]).replaceAll(/\{p\d\}/g, '{}')).toEqual(best && `/${best.join('/')}`)
      }),
    )
  })
})

describe('parseTemplate', () => {
  it.each([
    'a',
    '/a/{b+}/c',
    '/{a}/{a}',
    '/x{a}',
    '/{a',
    '/{a*}',
    '/a:b',
    '/*',
    '/a b',
    '/{+}',
  ])('refuses %s', (path) => {
    expect(() => parseTemplate(path)).toThrow(TypeError)
  })
})
