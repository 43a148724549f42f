import { expect, it } from 'vitest'
import { foreignRequests } from './foreign-requests.ts'

const request = (...pairs: readonly (readonly [string, string])[]) => ({
  headers: Object.fromEntries(pairs.toReversed()),
  rawHeaders: pairs.flat(),
})

it('accepts a loopback host each time', () => {
  const isForeign = foreignRequests()
  const own = request(['host', '127.0.0.1:8787'])
  expect([own, own, request(['host', 'localhost:8787']), own].map(isForeign)).toEqual([false, false, false, false])
})

it.each([
  ['another host', request(['host', 'example.com'])],
  [
    'the accepted host with the origin of another site',
    request(['host', '127.0.0.1'], ['origin', 'https://example.com']),
  ],
  ['two hosts, of which the first was accepted', request(['host', '127.0.0.1'], ['host', 'example.com'])],
])('refuses %s after it has accepted a host', (_, refused) => {
  const isForeign = foreignRequests()
  expect([request(['host', '127.0.0.1']), refused, refused].map(isForeign)).toEqual([false, true, true])
})
