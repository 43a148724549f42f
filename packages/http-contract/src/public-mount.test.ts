import { describe, expect, it } from 'vitest'
import { publicMount } from './public-mount.ts'

describe('publicMount', () => {
  it.each([
    ['https://public.example', 'https://public.example', ''],
    ['https://public.example/', 'https://public.example', ''],
    ['http://public.example:8080/a/b//', 'http://public.example:8080', '/a/b'],
  ])('reads %s', (url, origin, path) => {
    expect(publicMount(url)).toEqual({ origin, path })
  })

  it.each([
    '',
    'public.example',
    '/ai',
    'ftp://public.example',
    'https://user@public.example',
    'https://public.example/?a',
    'https://public.example/?',
    'https://public.example/#a',
  ])('refuses %j', (url) => {
    expect(() => publicMount(url)).toThrow(TypeError)
  })
})
