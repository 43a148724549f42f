import { describe, expect, it } from 'vitest'
import { prefixMatcher } from './prefix-matcher.ts'

describe('prefixMatcher', () => {
  it.each([
    ['', '/v1/models', ''],
    ['/ai', '/ai/v1/models', '/ai'],
    ['/ai', '/other/v1/models', undefined],
    ['/:tenant/ai', '/acme/ai/v1/models', '/acme/ai'],
    ['/:tenant/ai', '/a%20b/ai/v1', '/a%20b/ai'],
    ['/:tenant/a.i', '/acme/axi/v1', undefined],
    ['/:tenant/ai', '/acme/aid/v1', undefined],
    ['/:tenant/ai', '//ai/v1', undefined],
  ])('finds %j in %s', (prefix, path, found) => {
    expect(prefixMatcher(prefix)(path)).toBe(found)
  })
})
