import { describe, expect, it } from 'vitest'
import { isForeign, isLoopback } from './foreign-request.ts'

describe('isForeign', () => {
  it.each([
    [{ host: '127.0.0.1:8787' }],
    [{ host: 'localhost' }],
    [{ host: '[::1]:8787', origin: 'http://localhost:3000' }],
    [{ host: 'lab.localhost:80' }],
    [{}],
  ])('accepts a request with the headers %o', (headers) => {
    expect(isForeign(headers)).toBe(false)
  })

  it.each([
    [{ host: 'evil.example' }],
    [{ host: '127.0.0.1.evil.example:8787' }],
    [{ host: '127.0.0.1@evil.example' }],
    [{ host: 'evil.example@127.0.0.1' }],
    [{ host: '127.0.0.1/evil.example' }],
    [{ host: '' }],
    [{ host: ['127.0.0.1', 'evil.example'] }],
    [{ host: '127.0.0.1:8787', origin: 'https://evil.example' }],
    [{ host: '127.0.0.1:8787', origin: 'null' }],
    [{ host: '127.0.0.1:8787', origin: ['http://localhost', 'https://evil.example'] }],
    [{ host: 'a b' }],
    [{ host: '192.168.1.4' }],
  ])('detects a request with the headers %o', (headers) => {
    expect(isForeign(headers)).toBe(true)
    // What was decided before is remembered.
    expect(isForeign(headers)).toBe(true)
  })
})

it.each([
  ['127.0.0.1', true],
  ['127.1.2.3', true],
  ['::1', true],
  ['localhost', true],
  ['0.0.0.0', false],
  ['::', false],
  ['lab.example', false],
])('isLoopback returns for %s %j', (host, expected) => {
  expect(isLoopback(host)).toBe(expected)
})
