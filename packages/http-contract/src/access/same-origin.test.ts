import { describe, expect, it } from 'vitest'
import { isSameOrigin } from './same-origin.ts'

const mount = { origin: 'https://public.example', path: '' }
const upgrade = (headers: Readonly<Record<string, string | readonly string[]>>) => isSameOrigin({ headers, mount })

describe('isSameOrigin', () => {
  it.each([
    ['a program without an origin', { host: 'a' }],
    ['a page of the host', { host: 'a:81', origin: 'http://a:81' }],
    ['a page of the public address', { host: 'inner:81', origin: 'https://public.example' }],
  ])('accepts %s', (_, headers) => {
    expect(upgrade(headers)).toBe(true)
  })

  it.each([
    ['a page of another host', { host: 'a', origin: 'https://b' }],
    ['a page of another port', { host: 'a:81', origin: 'http://a:82' }],
    ['an opaque origin', { host: 'a', origin: 'null' }],
    ['an origin that is no URL', { host: 'a', origin: 'a' }],
    ['two origins', { host: 'a', origin: ['http://a', 'http://a'] }],
    ['an origin without a host', { origin: 'http://a' }],
  ])('refuses %s', (_, headers) => {
    expect(upgrade(headers)).toBe(false)
  })
})
