import { type Size, sizeOf } from '@trivium/storage-core/ports'

/** A size as a driver reads it: as a text where a number would round it. */
export type StoredSize = Size | string

export const fromStored = (size: StoredSize): Size => (typeof size === 'string' ? sizeOf(size) : size)
