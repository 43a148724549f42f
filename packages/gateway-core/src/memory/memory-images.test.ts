import { expect, it } from 'vitest'
import { imageStoreConformance } from '../conformance/index.ts'
import type { ImageId } from '../images/image-store.ts'
import { memoryImages } from './memory-images.ts'

imageStoreConformance((replicas) => Array(replicas).fill(memoryImages()))

it('memoryImages drops the oldest images when all together exceed its capacity', async () => {
  const store = memoryImages({ capacityBytes: 10 })
  const image = { bytes: new Uint8Array(4), contentType: 'image/png', expiresAt: new Date(1_000) } as const
  for (const id of ['one', 'two', 'three']) await store.put(id as ImageId, image) // ids are opaque here
  expect(await store.find('one' as ImageId, new Date(0))).toBeUndefined()
  expect(await store.find('three' as ImageId, new Date(0))).toEqual(image)
})
