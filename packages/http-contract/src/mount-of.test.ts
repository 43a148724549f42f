import { describe, expect, it } from 'vitest'
import { mountOf } from './mount-of.ts'

const pathOf = (path: string) => mountOf(path, () => ({ scheme: 'http', host: 'a' })).path
const originOf = (scheme: string, host: string | undefined) => mountOf('', () => ({ scheme, host })).origin

describe('mountOf', () => {
  it.each(['', '/ai', '/a/b/c', '/%C3%BC/ai', '/a:b/@c/x~y'])('keeps the path %j', (path) => {
    expect(pathOf(path)).toBe(path)
  })

  it.each([
    ['//evil.example/ai', '/evil.example/ai'],
    ['/ai/', '/ai'],
    ['/', ''],
    ['/a"b>/ai', '/a%22b%3E/ai'],
    ['/a\\b', '/a%5Cb'],
    ['/ü\ud800', '/%C3%BC'],
  ])('repairs the path %j', (path, repaired) => {
    expect(pathOf(path)).toBe(repaired)
  })

  it.each([
    'example.com',
    'example.com:8080',
    '127.0.0.1:1',
    '[::1]:8787',
    'a_b.local',
  ])('keeps the host %j', (host) => {
    expect(originOf('https', host)).toBe(`https://${host}`)
  })

  it.each([undefined, '', 'a b', 'a/b', 'a@b', 'a:b', 'a,b', 'a?b', 'a#b', '[x]'])('replaces the host %j', (host) => {
    expect(originOf('http', host)).toBe('http://localhost')
  })

  it('takes any scheme but `https` as `http`', () => {
    expect(originOf('javascript', 'a')).toBe('http://a')
  })
})
