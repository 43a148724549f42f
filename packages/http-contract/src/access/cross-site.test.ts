import { describe, expect, it } from 'vitest'
import { isCrossSite } from './cross-site.ts'

describe('isCrossSite', () => {
  it.each([
    ['a program', { host: 'lab:8787' }],
    ['its own page', { host: 'lab:8787', origin: 'http://lab:8787' }],
    ['its own page on the usual port', { host: 'lab:443', origin: 'https://lab' }],
    ['its own page behind a proxy', { host: '10.0.0.1', origin: 'https://lab', 'sec-fetch-site': 'same-origin' }],
    ['a typed address', { host: 'lab', 'sec-fetch-site': 'none' }],
  ])('accepts a request from %s', (_, headers) => {
    expect(isCrossSite(headers)).toBe(false)
  })

  it.each([
    ['a page of another site', { host: 'lab', origin: 'http://evil.example' }],
    ['a page on another port', { host: 'lab:8787', origin: 'http://lab:3000' }],
    ['a page without an origin of its own', { host: 'lab', origin: 'null' }],
    [
      'a page that the browser reports as cross-site',
      { host: 'lab', origin: 'http://lab', 'sec-fetch-site': 'cross-site' },
    ],
    ['a sister site', { host: 'a.lab', origin: 'http://b.lab', 'sec-fetch-site': 'same-site' }],
    ['a link or an image on a page of another site', { host: 'lab', 'sec-fetch-site': 'cross-site' }],
    ['a link on a sister site', { host: 'a.lab', 'sec-fetch-site': 'same-site' }],
    ['a page with two `sec-fetch-site` headers', { host: 'lab', 'sec-fetch-site': ['same-origin', 'cross-site'] }],
    ['a page with two origins', { host: 'lab', origin: ['http://lab', 'http://lab'] }],
    ['a page, without a host', { origin: 'http://lab' }],
    ['a page, with an invalid host', { host: 'a b', origin: 'http://lab' }],
  ])('detects a request from %s', (_, headers) => {
    expect(isCrossSite(headers)).toBe(true)
  })
})
