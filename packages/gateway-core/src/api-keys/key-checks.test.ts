import { memoryGatewayRepositories } from '@trivium/gateway-core/memory'
import { describe, expect, it, vi } from 'vitest'
import type { ApiKeyHash } from './api-key.ts'
import { hashesEqual, hashSecret } from './api-key-secret.ts'
import { createApiKeys } from './api-keys.ts'

const DAY_MS = 86_400_000

/** Keys with a store that records its calls. */
function recordedKeys() {
  const storeCalls: string[] = []
  let time = 0
  const repository = new Proxy(memoryGatewayRepositories().apiKeys, {
    get: (target, name, receiver) => {
      const member: unknown = Reflect.get(target, name, receiver)
      if (typeof member !== 'function') return member
      return (...details: unknown[]) => {
        storeCalls.push(`${String(name)} ${JSON.stringify(details)}`)
        return Reflect.apply(member, target, details)
      }
    },
  })
  const keys = createApiKeys(
    { cacheSeconds: 0 },
    {
      repository,
      groups: undefined,
      invalidations: undefined,
      now: () => new Date(time),
      newId: () => crypto.randomUUID(),
      onChanged: () => undefined,
      onForgotten: () => undefined,
      onFault: () => undefined,
      flushUses: async () => undefined,
      start: async () => undefined,
    },
  )
  const issue = async (expiresInDays?: number) => {
    const issued = await keys.generate({ username: 'ada', ...(expiresInDays === undefined ? {} : { expiresInDays }) })
    return issued._unsafeUnwrap()
  }
  return {
    keys,
    issue,
    later: () => {
      time += DAY_MS
    },
    /** The calls of the store while a secret is checked. */
    storeCallsFor: async (secret: string) => {
      storeCalls.length = 0
      await keys.authenticate(secret)
      return [...storeCalls]
    },
    storeCalls,
  }
}

describe('the check of a key', () => {
  it('makes one look-up by hash, for valid, expired, revoked and unknown secrets alike', async () => {
    const { keys, issue, later, storeCallsFor } = recordedKeys()
    const valid = await issue()
    const expired = await issue(1)
    const revoked = await issue()
    await keys.revoke(revoked.key.id)
    later()
    const unknownSecret = `tvm_${'a'.repeat(43)}`
    const similarSecret = `${valid.secret.slice(0, -1)}${valid.secret.endsWith('A') ? 'B' : 'A'}`
    for (const secret of [valid.secret, expired.secret, revoked.secret, unknownSecret, similarSecret]) {
      expect(await storeCallsFor(secret)).toEqual([`findByHash ["${await hashSecret(secret)}"]`])
    }
  })

  it('never passes a secret to the store, from generation to revocation', async () => {
    const { keys, issue, storeCalls } = recordedKeys()
    const { key, secret } = await issue()
    await keys.authenticate(secret)
    await keys.validate(secret)
    const rotated = (await keys.rotate(key.id))._unsafeUnwrap()
    await keys.change(key.id, { name: 'other' })
    await keys.revoke(key.id)
    expect(storeCalls.length).toBeGreaterThan(5)
    for (const detail of storeCalls) {
      expect(detail).not.toContain(secret)
      expect(detail).not.toContain(rotated.secret)
    }
  })

  it('compares every character of a hash, at any position of the first difference', async () => {
    const hash = await hashSecret('one')
    // Only their form matters here.
    const others = [`0${hash.slice(1)}`, `${hash.slice(0, -1)}0`, '0'.repeat(64)] as ApiKeyHash[]
    const read = vi.spyOn(String.prototype, 'charCodeAt')
    const reads = [hash, ...others].map((other) => {
      read.mockClear()
      hashesEqual(hash, other)
      return read.mock.calls.length
    })
    read.mockRestore()
    expect(reads).toEqual([128, 128, 128, 128])
  })
})
