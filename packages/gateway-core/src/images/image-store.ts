import type { Tagged } from 'type-fest'
import type { ImageContentType } from './image-request.ts'

/** Unguessable: who has it may see the picture. `[A-Za-z0-9_-]{22,64}`. */
export type ImageId = Tagged<string, 'ImageId'>

/** A picture and when it may go. */
export interface StoredImage {
  readonly bytes: Uint8Array
  readonly contentType: ImageContentType
  readonly expiresAt: Date
}

/** Where generated pictures are kept that the gateway answers as addresses. Rejections mean that the store failed. */
export interface ImageStore {
  /** Durable for what the store can promise when it settles. The id is new. */
  put(id: ImageId, image: StoredImage): Promise<void>
  /** `undefined` where it never was, or `expiresAt` is not after `now`. */
  find(id: ImageId, now: Date): Promise<StoredImage | undefined>
  /**
   * Removes those whose `expiresAt` is not after `now`, and not before `since` where that is given: of earlier ones the
   * gateway does not know yet whether they have expired. @returns how many
   */
  removeExpired(now: Date, since?: Date): Promise<number>
}
