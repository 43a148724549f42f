import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ApiKey, ApiKeyId } from '../api-keys/api-key.ts'
import type { Caller } from '../caller.ts'
import { type CacheKeyParts, cacheKey, scopeOf } from './cache-key.ts'

const parts: CacheKeyParts = {
  operation: 'chat',
  scope: 'key:1',
  targets: [],
  headers: { 'anthropic-version': '2023-06-01' },
  body: { model: 'big', messages: [{ role: 'user', content: 'Hello' }], temperature: 0.5 },
}

const irrelevant = [
  'stream',
  'stream_options',
  'user',
  'safety_identifier',
  'metadata',
  'timeout',
  'prompt_cache_key',
] as const

describe('cacheKey', () => {
  it('returns a digest in hexadecimal', async () => expect(await cacheKey(parts)).toMatch(/^[0-9a-f]{64}$/))

  it('ignores members that do not change the answer, and the order of the others', () =>
    fc.assert(
      fc.asyncProperty(
        fc.dictionary(fc.constantFrom(...irrelevant), fc.oneof(fc.string(), fc.boolean(), fc.integer())),
        fc.shuffledSubarray(Object.keys(parts.body), { minLength: 3 }),
        async (ignored, names) => {
          const body = { ...Object.fromEntries(names.map((name) => [name, parts.body[name]])), ...ignored }
          expect(await cacheKey({ ...parts, body })).toBe(await cacheKey(parts))
        },
      ),
    ))

  it('changes with each other member', () =>
    fc.assert(
      fc.asyncProperty(
        fc.string().filter((name) => !irrelevant.some((one) => one === name) && !(name in parts.body)),
        fc.oneof(fc.string(), fc.boolean(), fc.integer(), fc.constant(null)),
        async (name, value) => {
          const body = Object.fromEntries([...Object.entries(parts.body), [name, value]])
          expect(await cacheKey({ ...parts, body })).not.toBe(await cacheKey(parts))
        },
      ),
    ))

  it.each([
    ['operation', { operation: 'messages' }],
    ['scope', { scope: 'key:2' }],
    ['headers', { headers: {} }],
    ['model', { body: { ...parts.body, model: 'small' } }],
    ['nested members', { body: { ...parts.body, messages: [{ role: 'user', content: 'Hello', user: 'x' }] } }],
  ] as const)('changes with the %s', async (_, differences) => {
    expect(await cacheKey({ ...parts, ...differences })).not.toBe(await cacheKey(parts))
  })
})

describe('scopeOf', () => {
  const key = (id: string, teamId?: string): Caller => {
    const issued = { id: id as ApiKeyId, ...(teamId !== undefined && { teamId }) } // ids are opaque here
    return { type: 'key', key: issued as unknown as ApiKey } // no other member is read
  }

  it('returns one name for the keys of a team', () => {
    expect(scopeOf(key('1', 'red'), 'team')).toBe(scopeOf(key('2', 'red'), 'team'))
    expect(scopeOf(key('1', 'red'), 'team')).not.toBe(scopeOf(key('1', 'blue'), 'team'))
    expect(scopeOf(key('1', 'red'), 'key')).toBe('key:1')
  })

  it('returns the name of a key without a team, of a user and of the admin', () => {
    expect(scopeOf(key('1'), 'team')).toBe('key:1')
    expect(scopeOf({ type: 'user', id: '1' }, 'team')).toBe('user:1')
    expect(scopeOf({ type: 'admin' }, 'key')).toBe('admin')
    expect(scopeOf({ type: 'user', id: '1' }, 'all')).toBe('all')
  })
})
