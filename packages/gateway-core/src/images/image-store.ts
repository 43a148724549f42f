import type { Tagged } from 'type-fest'
import type { ImageContentType } from './image-request.ts'

/** An unguessable id, `[A-Za-z0-9_-]{22,64}`. Any caller that has it can fetch the image. */
export type ImageId = Tagged<string, 'ImageId'>

/** An image and the time from which it can be removed. */
export interface StoredImage {
  readonly bytes: Uint8Array
  readonly contentType: ImageContentType
  readonly expiresAt: Date
}

/** Stores generated images that the gateway returns as URLs. A method rejects when the store has failed. */
export interface ImageStore {
  /** Stores an image under a new id. Once this resolves, the image is as durable as the store allows. */
  put(id: ImageId, image: StoredImage): Promise<void>
  /** Returns `undefined` for an absent image, and where `expiresAt` is not after `now`. */
  find(id: ImageId, now: Date): Promise<StoredImage | undefined>
  /**
   * Removes the images whose `expiresAt` is not after `now`, and not before `since` if given. The gateway passes `since`
   * while its clock is not trusted. @returns the number of images removed
   */
  removeExpired(now: Date, since?: Date): Promise<number>
}
