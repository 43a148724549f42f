import { describe, expect, it } from 'vitest'
import { requestUrl } from './request-url.ts'

describe('requestUrl', () => {
  it('encodes each parameter as one segment, and the rest with its slashes', () => {
    const params = { id: 'a/b ü?', rest: 'x/y z' }
    expect(requestUrl('http://host/base/', '/things/{id}/{rest+}', { params })).toBe(
      'http://host/base/things/a%2Fb%20%C3%BC%3F/x/y%20z',
    )
  })

  it('repeats the names of arrays and omits undefined values', () => {
    expect(requestUrl('', '/a', { query: { n: 1, yes: true, many: ['x', 'y&'], none: undefined } })).toBe(
      '/a?n=1&yes=true&many=x&many=y%26',
    )
  })

  it.each([{}, { id: '' }, { id: '..' }, { id: '.' }])('throws for the parameters %o', (params) => {
    expect(() => requestUrl('', '/things/{id}', { params })).toThrow(TypeError)
  })
})
