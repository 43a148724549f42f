import type { ApiKeyId } from '../../api-keys/api-key.ts'
import { toFailure } from '../errors/to-failure.ts'
import type { GatewayHandlers, HandlerParts } from '../handler-parts.ts'
import { issuedToWire, toLimits, toNewKey, toWire } from './key-wire.ts'

type KeyOperations = 'generateKey' | 'listKeys' | 'getKey' | 'changeKey' | 'rotateKey' | 'revokeKey'

/** Keep secrets out of caches. */
const secretHeaders = { 'cache-control': 'no-store' }

export function keyHandlers({ gateway: { apiKeys } }: HandlerParts): GatewayHandlers<KeyOperations> {
  return {
    generateKey: ({ body }) =>
      apiKeys
        .generate(toNewKey(body))
        .match((issued) => ({ status: 200, headers: secretHeaders, body: issuedToWire(issued) }), toFailure),

    async listKeys({ query: { username, after, limit } }) {
      const keys = await apiKeys.list({
        limit: limit + 1,
        ...(username === undefined ? {} : { username }),
        ...(after === undefined ? {} : { after: idOf(after) }),
      })
      const page = keys.slice(0, limit)
      const body = {
        object: 'list' as const,
        data: page.map(toWire),
        has_more: keys.length > limit,
        last_id: page.at(-1)?.id ?? null,
      }
      return { status: 200, body }
    },

    getKey: ({ params }) =>
      apiKeys.find(idOf(params.key_id)).match((key) => ({ status: 200, body: toWire(key) }), toFailure),

    async changeKey({ params, body }) {
      const id = idOf(params.key_id)
      const found = await apiKeys.find(id)
      if (found.isErr()) return toFailure(found.error)
      const { name, rate_limit, tokens_per_minute, tokens_per_day } = body
      let key = found.value
      if (name !== undefined) {
        const renamed = await apiKeys.rename(id, name ?? undefined)
        if (renamed.isErr()) return toFailure(renamed.error)
        key = renamed.value
      }
      if (rate_limit !== undefined || tokens_per_minute !== undefined || tokens_per_day !== undefined) {
        const changed = await apiKeys.changeLimits(id, toLimits(body, key.budget))
        if (changed.isErr()) return toFailure(changed.error)
        key = changed.value
      }
      return { status: 200, body: toWire(key) }
    },

    rotateKey: ({ params }) =>
      apiKeys
        .rotate(idOf(params.key_id))
        .match((issued) => ({ status: 200, headers: secretHeaders, body: issuedToWire(issued) }), toFailure),

    revokeKey: ({ params }) =>
      apiKeys.revoke(idOf(params.key_id)).match((key) => ({ status: 200, body: toWire(key) }), toFailure),
  }
}

/** Takes any text as an id, because an unknown id is not found. */
const idOf = (text: string) => text as ApiKeyId
