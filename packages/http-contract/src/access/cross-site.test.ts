import { describe, expect, it } from 'vitest'
import { isCrossSite } from './cross-site.ts'

describe('isCrossSite', () => {
  it.each([
    ['a program', { host: 'lab:8787' }],
    ['its own page', { host: 'lab:8787', origin: 'http://lab:8787' }],
    ['its own page on the usual port', { host: 'lab:443', origin: 'https://lab' }],
    ['its own page behind a proxy', { host: '10.0.0.1', origin: 'https://lab', 'sec-fetch-site': 'same-origin' }],
    ['an address that is typed', { host: 'lab', 'sec-fetch-site': 'none' }],
  ])('lets %s', (_, headers) => {
    expect(isCrossSite(headers)).toBe(false)
  })

  it.each([
    ['a foreign page', { host: 'lab', origin: 'http://evil.example' }],
    ['another port', { host: 'lab:8787', origin: 'http://lab:3000' }],
    ['a page without an origin of its own', { host: 'lab', origin: 'null' }],
    ['what the browser calls so', { host: 'lab', origin: 'http://lab', 'sec-fetch-site': 'cross-site' }],
    ['a sister site', { host: 'a.lab', origin: 'http://b.lab', 'sec-fetch-site': 'same-site' }],
    ['a link or a picture of a foreign page', { host: 'lab', 'sec-fetch-site': 'cross-site' }],
    ['a link of a sister site', { host: 'a.lab', 'sec-fetch-site': 'same-site' }],
    ['a browser that repeats itself', { host: 'lab', 'sec-fetch-site': ['same-origin', 'cross-site'] }],
    ['two origins', { host: 'lab', origin: ['http://lab', 'http://lab'] }],
    ['no host', { origin: 'http://lab' }],
    ['a host that is none', { host: 'a b', origin: 'http://lab' }],
  ])('finds %s', (_, headers) => {
    expect(isCrossSite(headers)).toBe(true)
  })
})
