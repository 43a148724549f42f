import { describe, expect, it } from 'vitest'
import type { ImageId, ImageStore, StoredImage } from '../images/image-store.ts'
import { alternating, type OpenReplicas, openOne } from './replicas.ts'

const start = Date.UTC(2026, 0, 2)
const at = (milliseconds: number) => new Date(start + milliseconds)
const idOf = (index: number) => `image_${index.toString().padStart(20, '0')}` as ImageId // has the required form

/** Registers vitest cases for an `ImageStore`. Each case opens an empty store. */
export function imageStoreConformance(open: OpenReplicas<ImageStore>): void {
  describe('image store', () => {
    it('finds a stored image unchanged, from every replica', async () => {
      const replica = alternating(await open(2))
      const image = testImage(1)
      await replica(0).put(idOf(1), image)
      expect(await replica(1).find(idOf(1), at(0))).toEqual(image)
    })

    it('returns nothing for an id that was never stored', async () => {
      const store = await openOne(open)
      expect(await store.find(idOf(1), at(0))).toBeUndefined()
      expect(await store.find('../../etc/passwd_padded_to_length' as ImageId, at(0))).toBeUndefined()
    })

    it('returns an image until it expires', async () => {
      const store = await openOne(open)
      await store.put(idOf(1), testImage(1, at(1_000)))
      expect(await store.find(idOf(1), at(999))).toBeDefined()
      expect(await store.find(idOf(1), at(1_000))).toBeUndefined()
    })

    it('removes only expired images', async () => {
      const store = await openOne(open)
      await store.put(idOf(1), testImage(1, at(1_000)))
      await store.put(idOf(2), testImage(2, at(2_000)))
      expect(await store.removeExpired(at(1_000))).toBe(1)
      expect(await store.removeExpired(at(1_000))).toBe(0)
      expect(await store.find(idOf(1), at(0))).toBeUndefined()
      expect(await store.find(idOf(2), at(0))).toEqual(testImage(2, at(2_000)))
    })

    it('removes only images that expired between the given times', async () => {
      const store = await openOne(open)
      for (const time of [999, 1_000, 2_000, 2_001]) await store.put(idOf(time), testImage(1, at(time)))
      expect(await store.removeExpired(at(2_000), at(1_000))).toBe(2)
      const left = await Promise.all([999, 1_000, 2_000, 2_001].map((time) => store.find(idOf(time), at(0))))
      expect(left.map((image) => image !== undefined)).toEqual([true, false, false, true])
    })

    it('stores simultaneous images without mixing their bytes', async () => {
      const store = await openOne(open)
      const bytes = (index: number) => Uint8Array.from({ length: 70_000 }, (_, place) => (place * 7 + index) & 255)
      await Promise.all(
        Array.from({ length: 8 }, (_, index) => store.put(idOf(index), { ...testImage(index), bytes: bytes(index) })),
      )
      for (let index = 0; index < 8; index += 1) {
        const found = await store.find(idOf(index), at(0))
        expect(found && sameBytes(found.bytes, bytes(index))).toBe(true)
      }
    })
  })
}

const testImage = (index: number, expiresAt: Date = at(3_600_000)): StoredImage => ({
  bytes: new Uint8Array([0x89, 0x50, 0x4e, 0x47, index, 0, 255]),
  contentType: index % 2 === 0 ? 'image/jpeg' : 'image/png',
  expiresAt,
})

const sameBytes = (one: Uint8Array, other: Uint8Array) =>
  one.length === other.length && one.every((byte, index) => byte === other[index])
