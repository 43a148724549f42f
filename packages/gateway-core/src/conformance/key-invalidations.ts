import { describe, expect, it, vi } from 'vitest'
import type { ApiKeyId } from '../api-keys/api-key.ts'
import type { KeyInvalidations } from '../api-keys/key-invalidations.ts'
import { alternating, type OpenReplicas, openOne } from './replicas.ts'

const key = 'key-1' as ApiKeyId // ids are opaque here
const other = 'key-2' as ApiKeyId

/** Registers vitest cases for `KeyInvalidations` of several replicas. */
export function keyInvalidationsConformance(open: OpenReplicas<KeyInvalidations>): void {
  describe('key invalidation', () => {
    it('reaches the subscribers of all replicas, including the sender', async () => {
      const replica = alternating(await open(3))
      const received: (readonly [number, ApiKeyId | undefined])[] = []
      for (let index = 0; index < 3; index += 1) await replica(index).subscribe((id) => received.push([index, id]))
      await replica(1).publish(key)
      await vi.waitFor(() => expect(received.map(([index]) => index).sort()).toEqual([0, 1, 2]), 30_000)
      expect(received.every(([, id]) => id === key)).toBe(true)
    })

    it('arrives in the order in which one replica published it', async () => {
      const [sender, receiver] = alternatePair(await open(2))
      const received: (ApiKeyId | undefined)[] = []
      await receiver.subscribe((id) => received.push(id))
      await sender.publish(key)
      await sender.publish(other)
      await vi.waitFor(() => expect(received).toEqual([key, other]), 30_000)
    })

    it('stops for a subscription that ends, but not for the others', async () => {
      const bus = await openOne(open)
      const ended: (ApiKeyId | undefined)[] = []
      const lasting: (ApiKeyId | undefined)[] = []
      const end = await bus.subscribe((id) => ended.push(id))
      await bus.subscribe((id) => lasting.push(id))
      await end()
      await end()
      await bus.publish(key)
      await vi.waitFor(() => expect(lasting).toEqual([key]), 30_000)
      expect(ended).toEqual([])
    })

    it('reaches a listener that subscribes while the only other subscription ends', async () => {
      const bus = await openOne(open)
      const received: (ApiKeyId | undefined)[] = []
      const end = await bus.subscribe(() => undefined)
      await Promise.all([bus.subscribe((id) => received.push(id)), end()])
      await new Promise((resolve) => setTimeout(resolve, 50))
      await bus.publish(key)
      await vi.waitFor(() => expect(received).toEqual([key]), 30_000)
    })

    it('reaches the other listeners after one throws', async () => {
      const bus = await openOne(open)
      const received: (ApiKeyId | undefined)[] = []
      await bus.subscribe(() => {
        throw new Error('A listener failed')
      })
      await bus.subscribe((id) => received.push(id))
      await bus.publish(key)
      await vi.waitFor(() => expect(received).toEqual([key]), 30_000)
    })
  })
}

function alternatePair(ports: readonly KeyInvalidations[]) {
  const replica = alternating(ports)
  return [replica(0), replica(1)] as const
}
