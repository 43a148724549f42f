import { expect, it } from 'vitest'
import { diskImageStoreConformance } from '../conformance/index.ts'
import { memoryDiskImages } from './memory-disk-images.ts'

diskImageStoreConformance(() => memoryDiskImages())

it('finds the names of images by paths in its location', () => {
  const images = memoryDiskImages({ location: '/srv/images' })
  expect(images.nameOf('/srv/images/a.img')).toBe('a.img')
  expect(images.nameOf('a.img')).toBe('a.img')
  expect(images.nameOf('/srv/images/deep/a.img')).toBeUndefined()
  expect(images.nameOf('/images/a.img')).toBeUndefined()
})
