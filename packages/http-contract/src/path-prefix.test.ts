import { describe, expect, it } from 'vitest'
import { pathPrefix } from './path-prefix.ts'

describe('pathPrefix', () => {
  it.each([
    [undefined, ''],
    ['', ''],
    ['/', ''],
    ['ai', '/ai'],
    ['/ai', '/ai'],
    ['/ai/', '/ai'],
    ['a/b.c/', '/a/b.c'],
    ['/%C3%BC/~a:b@c', '/%C3%BC/~a:b@c'],
  ])('reads %j as %j', (given, prefix) => {
    expect(pathPrefix(given)).toBe(prefix)
  })

  it('accepts parameters where they are allowed', () => {
    expect(pathPrefix(':tenant/ai/', { parameters: true })).toBe('/:tenant/ai')
  })

  it.each([5, null, {}, ['ai']])('refuses %j, which is not a text', (given) => {
    const message = 'The prefix of paths must be a text such as "/ai".'
    expect(() => Reflect.apply(pathPrefix, undefined, [given])).toThrow(new TypeError(message))
  })

  it.each([
    '//',
    '/ai//',
    'a//b',
    '/ai?x=1',
    '/ai#x',
    '/ai/*',
    '/:tenant',
    '/{tenant}',
    '/../ai',
    '/./ai',
    '/a b',
    '/ü',
    '/a%zz',
    'https://host/ai',
    '\\ai',
  ])('refuses %j', (given) => {
    expect(() => pathPrefix(given)).toThrow(TypeError)
    expect(() => pathPrefix(given)).toThrow(`"${given}" cannot be the prefix of paths.`)
  })
})
