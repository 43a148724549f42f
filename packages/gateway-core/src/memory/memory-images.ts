import type { ImageId, ImageStore, StoredImage } from '../images/image-store.ts'

/** The capacity of {@link memoryImages}. */
export interface MemoryImagesOptions {
  /** Maximum bytes of all images together. Beyond it, the oldest are dropped. @default 256 MiB */
  readonly capacityBytes?: number
}

/** Stores images in memory until they expire, the process ends or newer images replace them. */
export function memoryImages({ capacityBytes = 2 ** 28 }: MemoryImagesOptions = {}): ImageStore {
  const images = new Map<ImageId, StoredImage>()
  let size = 0

  const remove = (id: ImageId, image: StoredImage) => {
    images.delete(id)
    size -= image.bytes.length
  }

  return {
    async put(id, image) {
      images.set(id, image)
      size += image.bytes.length
      for (const [oldest, stored] of images) {
        if (size <= capacityBytes) break
        remove(oldest, stored)
      }
    },

    async find(id, now) {
      const image = images.get(id)
      return image && image.expiresAt > now ? image : undefined
    },

    async removeExpired(now, since = new Date(0)) {
      const before = images.size
      for (const [id, image] of images) {
        if (image.expiresAt <= now && image.expiresAt >= since) remove(id, image)
      }
      return before - images.size
    },
  }
}
