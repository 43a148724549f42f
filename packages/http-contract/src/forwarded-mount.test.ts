import { describe, expect, it } from 'vitest'
import { forwardedMount, forwardedPath } from './forwarded-mount.ts'

const own = () => ({ scheme: 'http', host: 'inner:8787' })

describe('forwardedPath', () => {
  it.each([
    [undefined, '/ai'],
    ['', '/ai'],
    ['/', '/ai'],
    ['/outer', '/outer/ai'],
    ['/outer/', '/outer/ai'],
    ['/outer, /inner', '/outer/inner/ai'],
    [['/outer', '/inner'], '/outer/inner/ai'],
    ['//evil.example', '/ai'],
    ['https://evil.example', '/ai'],
    ['outer', '/ai'],
    ['/a"b', '/ai'],
    ['/..', '/ai'],
    ['/.', '/ai'],
    ['/outer/../x', '/ai'],
    ['/outer/%2E%2e/', '/ai'],
    ['/.%2e', '/ai'],
    ['/..outer/.well-known', '/..outer/.well-known/ai'],
  ])('reads the prefix %j', (prefix, path) => {
    expect(forwardedPath(prefix, '/ai')).toBe(path)
  })
})

describe('forwardedMount', () => {
  it('returns the address of the request without headers', () => {
    const { origin, path } = forwardedMount({}, '/ai', own)
    expect([origin, path]).toEqual(['http://inner:8787', '/ai'])
  })

  it('returns what the headers report, the last of several', () => {
    const { origin, path } = forwardedMount(
      {
        'x-forwarded-proto': 'http, https',
        'x-forwarded-host': 'evil.example, public.example',
        'x-forwarded-prefix': '/p',
      },
      '/ai',
      own,
    )
    expect([origin, path]).toEqual(['https://public.example', '/p/ai'])
  })
})
