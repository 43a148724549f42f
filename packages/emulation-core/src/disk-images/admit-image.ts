import { err, ok, type Result } from 'neverthrow'
import type { EmulationLimits } from '../context.ts'
import type { EmulationError } from '../emulation-error.ts'
import type { DiskImageStore } from './disk-image-store.ts'

export interface AdmitImageOptions {
  readonly store: DiskImageStore
  readonly limits: EmulationLimits
  /** The name of a new image or of its upload, which is not counted twice. Absent where an image grows. */
  readonly name?: string
  /** The bytes that it adds to those of all images. */
  readonly bytes: number
  /** Whether all of the bytes take space on the disk. */
  readonly isUpload: boolean
}

/** Checks that the limits leave room for an image, with what other unfinished uploads still need. */
export async function admitImage({
  store,
  limits,
  name,
  bytes,
  isUpload,
}: AdmitImageOptions): Promise<Result<void, EmulationError>> {
  if (isUpload && bytes > limits.diskImageBytes)
    return err({ type: 'limit-reached', what: 'bytes of a disk image', limit: limits.diskImageBytes })
  const [images, uploads, freeBytes] = await Promise.all([store.list(), store.uploads(), store.freeBytes()])
  if (name !== undefined && images.some((image) => image.name === name)) return err({ type: 'disk-image-exists', name })
  const others = uploads.filter((upload) => upload.name !== name)
  if (name !== undefined && images.length + others.length >= limits.diskImages)
    return err({ type: 'limit-reached', what: 'disk images', limit: limits.diskImages })
  const taken = sum(images.map((image) => image.bytes)) + sum(others.map(({ totalBytes }) => totalBytes))
  if (taken + bytes > limits.diskImagesBytes)
    return err({ type: 'limit-reached', what: 'bytes of disk images', limit: limits.diskImagesBytes })
  if (!isUpload || freeBytes === undefined) return ok()
  const own = uploads.find((upload) => upload.name === name)
  const awaited = sum(others.map(({ receivedBytes, totalBytes }) => totalBytes - receivedBytes))
  return awaited + bytes - (own?.receivedBytes ?? 0) > freeBytes ? err({ type: 'disk-full' }) : ok()
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0)
