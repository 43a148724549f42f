import { err, ok, type Result, ResultAsync } from 'neverthrow'
import { attempt } from '../attempt.ts'
import type { Context } from '../context.ts'
import type { EmulationError } from '../emulation-error.ts'
import { createKeyedLocks } from '../locks/keyed-locks.ts'
import { admitImage } from './admit-image.ts'
import type { DiskImage, DiskImageFormat, DiskImageUpload } from './disk-image.ts'
import { isDiskImageName } from './disk-image-name.ts'
import type { AppendOutcome, DiskImageStore, InspectedImage } from './disk-image-store.ts'
import type { DiskImageUser } from './disk-image-user.ts'
import { removeExpiredUploads } from './expired-uploads.ts'
import { imageUsers } from './image-users.ts'

/**
 * The disk images of the server. An image is never replaced: what is based on it would break. Every method fails with
 * `disk-images-absent` where the host keeps none, those with a name with `disk-image-name-invalid`, and those that change
 * something with `disk-image-busy` while another call changes the image.
 */
export interface DiskImages {
  /** Lists images and unfinished uploads by their names. Removes uploads that have expired. */
  list(): ResultAsync<DiskImageList, EmulationError>
  /**
   * Reads an image with its facts and the instances that need it, or an unfinished upload. The facts of a file that was
   * put there by hand are computed once, which reads the whole file.
   */
  read(name: string): ResultAsync<FoundDiskImage, EmulationError>
  /**
   * Takes a part of a file, or the whole. The first byte must follow the last that was received. Where the chunks throw,
   * rejects with the same error, and keeps what has arrived. With the last byte the image is checked, and kept or removed.
   *
   * @param chunks exactly the bytes of the part
   */
  upload(
    name: string,
    part: DiskImagePart,
    chunks: AsyncIterable<Uint8Array>,
  ): ResultAsync<FoundDiskImage, EmulationError>
  /** Creates an empty disk. */
  create(disk: NewDiskImage): ResultAsync<ReadyDiskImage, EmulationError>
  /** Changes the size of a disk that no instance needs. Fails with `disk-image-shrinks` unless a smaller size is asked for. */
  resize(name: string, size: DiskImageSize): ResultAsync<ReadyDiskImage, EmulationError>
  /** Deletes an image that no instance needs, or an unfinished upload. */
  remove(name: string): ResultAsync<void, EmulationError>
}

/** A part of a file that is uploaded. */
export interface DiskImagePart {
  /** The place of its first byte. @default the place after the last byte that was received */
  readonly offset?: number
  /** The bytes of the part; 0 to complete an upload that has all of its bytes. */
  readonly bytes: number
  /** The bytes of the whole file. The same for each part. */
  readonly totalBytes: number
  /** The SHA-256 of the part, in lower case hexadecimal digits. @default not checked */
  readonly partSha256?: string
  /** The SHA-256 of the whole, in lower case hexadecimal digits. The one of the last part is checked. @default not checked */
  readonly sha256?: string
}

/** An empty disk. */
export interface NewDiskImage {
  readonly name: string
  readonly format: DiskImageFormat
  /** The size of the disk that a machine sees. Some formats round it up. */
  readonly virtualBytes: number
}

/** The new size of a disk. */
export interface DiskImageSize {
  readonly virtualBytes: number
  /** Allows a smaller size, which deletes what is at the end of the disk. @default false */
  readonly shrink?: boolean
}

/** All images, with the instances that need each. */
export interface DiskImageList {
  readonly images: readonly (DiskImage & { readonly users: readonly DiskImageUser[] })[]
  readonly uploads: readonly ExpiringUpload[]
}

/** An unfinished upload. */
export interface ExpiringUpload extends DiskImageUpload {
  /** When it is removed, unless another part arrives. */
  readonly expiresAt: Date
}

/** An image, or an unfinished upload. */
export type FoundDiskImage = ReadyDiskImage | { readonly state: 'uploading'; readonly upload: ExpiringUpload }

/** A complete image with its facts, and the instances that need it. */
export interface ReadyDiskImage {
  readonly state: 'ready'
  readonly image: InspectedImage
  readonly users: readonly DiskImageUser[]
}

type Outcome<T> = Promise<Result<T, EmulationError>>

export function createDiskImages(context: Context): DiskImages {
  const { diskImages, repositories, limits, recovered, emit } = context
  const quota = createKeyedLocks()
  const busy = new Set<string>()
  let parts = 0

  const withStore = async <T>(task: (store: DiskImageStore) => Outcome<T>): Outcome<T> => {
    if (!diskImages) return err({ type: 'disk-images-absent' })
    await recovered()
    return (await attempt(() => task(diskImages))).andThen((result) => result)
  }

  const named = <T>(name: string, task: (store: DiskImageStore) => Outcome<T>): Outcome<T> =>
    withStore(async (store) => (isDiskImageName(name) ? task(store) : err({ type: 'disk-image-name-invalid', name })))

  const changing = <T>(name: string, task: (store: DiskImageStore) => Outcome<T>): Outcome<T> =>
    named(name, async (store) => {
      if (busy.has(name)) return err({ type: 'disk-image-busy', name })
      busy.add(name)
      try {
        return await task(store)
      } finally {
        busy.delete(name)
      }
    })

  const usersOf = async (store: DiskImageStore) =>
    imageUsers(await repositories.instances.list(), (path) => store.nameOf(path))

  const ready = async (store: DiskImageStore, image: InspectedImage): Promise<ReadyDiskImage> => ({
    state: 'ready',
    image,
    users: (await usersOf(store)).get(image.name) ?? [],
  })

  const expiring = (upload: DiskImageUpload): ExpiringUpload => ({
    ...upload,
    expiresAt: new Date(upload.modifiedAt.getTime() + limits.diskImageUploadHours * 3_600_000),
  })

  const read = async (store: DiskImageStore, name: string): Outcome<FoundDiskImage> => {
    const image = await store.inspect(name)
    if (image) return ok(await ready(store, image))
    const upload = await store.findUpload(name)
    return upload ? ok({ state: 'uploading', upload: expiring(upload) }) : err({ type: 'disk-image-not-found', name })
  }

  /** Starts an upload, or finds the one that the part continues. */
  const openUpload = async (store: DiskImageStore, name: string, part: DiskImagePart): Outcome<DiskImageUpload> => {
    const known = await store.findUpload(name)
    const receivedBytes = known?.receivedBytes ?? 0
    const { offset = receivedBytes, bytes, totalBytes } = part
    const fits =
      offset === receivedBytes && offset + bytes <= totalBytes && (known?.totalBytes ?? totalBytes) === totalBytes
    if (!fits || (!known && bytes === 0)) {
      return err({ type: 'upload-range-wrong', name, receivedBytes, totalBytes: known?.totalBytes })
    }
    const admitted = await admitImage({ store, limits, name, bytes: totalBytes, isUpload: true })
    if (admitted.isErr()) return err(admitted.error)
    if (!known) await store.begin(name, totalBytes)
    return ok(known ?? { name, receivedBytes, totalBytes, modifiedAt: context.now() })
  }

  const takePart = async (
    store: DiskImageStore,
    name: string,
    part: DiskImagePart,
    chunks: AsyncIterable<Uint8Array>,
  ): Outcome<FoundDiskImage> => {
    await removeExpiredUploads(context, busy)
    const opened = await quota.exclusive('', () => openUpload(store, name, part))
    if (opened.isErr()) return err(opened.error)
    const { receivedBytes, totalBytes } = opened.value
    if (part.bytes > 0) {
      const { bytes, partSha256 } = part
      const outcome = await store.append(
        name,
        { bytes, ...(partSha256 !== undefined && { sha256: partSha256 }) },
        chunks,
      )
      if (outcome !== 'appended') {
        // A full disk must not stay full, and an upload that never had a byte is nothing to continue.
        if (outcome === 'disk-full' || receivedBytes === 0) await store.discard(name)
        return err(partError(outcome, name, bytes))
      }
    }
    if (receivedBytes + part.bytes < totalBytes) return read(store, name)
    const image = await store.complete(name, {
      mostVirtualBytes: limits.diskImageVirtualBytes,
      ...(part.sha256 !== undefined && { sha256: part.sha256 }),
    })
    if (image === 'digest-differs') return err({ type: 'digest-differs', name, of: 'file' })
    emit('disk-image.changed', name, 'uploaded')
    return ok(await ready(store, image))
  }

  const sizeError = (format: string, bytes: number): EmulationError | undefined => {
    if (bytes > limits.diskImageVirtualBytes)
      return { type: 'limit-reached', what: 'bytes of a disk', limit: limits.diskImageVirtualBytes }
    if (format === 'raw' && bytes > limits.diskImageBytes)
      return { type: 'limit-reached', what: 'bytes of a disk image', limit: limits.diskImageBytes }
    return undefined
  }

  const createDisk = async (
    store: DiskImageStore,
    { name, format, virtualBytes }: NewDiskImage,
  ): Outcome<ReadyDiskImage> => {
    const error = sizeError(format, virtualBytes)
    if (error) return err(error)
    if (await store.findUpload(name)) return err({ type: 'disk-image-exists', name })
    return quota.exclusive('', async () => {
      const bytes = format === 'raw' ? virtualBytes : 0
      const admitted = await admitImage({ store, limits, name, bytes, isUpload: false })
      if (admitted.isErr()) return err(admitted.error)
      const image = await store.create(name, format, virtualBytes)
      emit('disk-image.changed', name, 'created')
      return ok(await ready(store, image))
    })
  }

  /** Finds an image that no instance needs. */
  const findUnused = async (store: DiskImageStore, name: string): Outcome<DiskImage> => {
    const image = await store.find(name)
    if (!image) return err({ type: 'disk-image-not-found', name })
    const users = (await usersOf(store)).get(name)
    return users ? err({ type: 'disk-image-in-use', name, users }) : ok(image)
  }

  const resizeDisk = async (
    store: DiskImageStore,
    name: string,
    { virtualBytes, shrink = false }: DiskImageSize,
  ): Outcome<ReadyDiskImage> => {
    const found = await findUnused(store, name)
    if (found.isErr()) return err(found.error)
    const image = await store.inspect(name)
    if (!image) return err({ type: 'disk-image-not-found', name })
    const error = sizeError(image.facts.format, virtualBytes)
    if (error) return err(error)
    if (virtualBytes < image.facts.virtualBytes && !shrink) return err({ type: 'disk-image-shrinks', name })
    return quota.exclusive('', async () => {
      const bytes = image.facts.format === 'raw' ? Math.max(0, virtualBytes - image.bytes) : 0
      const admitted = await admitImage({ store, limits, bytes, isUpload: false })
      if (admitted.isErr()) return err(admitted.error)
      const resized = await store.resize(name, virtualBytes, { shrink })
      emit('disk-image.changed', name, 'resized')
      return ok(await ready(store, resized))
    })
  }

  const removeImage = async (store: DiskImageStore, name: string): Outcome<void> => {
    if (await store.discard(name)) return ok()
    const found = await findUnused(store, name)
    if (found.isErr()) return err(found.error)
    if (!(await store.remove(name))) return err({ type: 'disk-image-not-found', name })
    emit('disk-image.changed', name, 'deleted')
    return ok()
  }

  return {
    list: () =>
      new ResultAsync(
        withStore(async (store) => {
          await removeExpiredUploads(context, busy)
          const [images, uploads, users] = await Promise.all([store.list(), store.uploads(), usersOf(store)])
          return ok({
            images: images.toSorted(byName).map((image) => ({ ...image, users: users.get(image.name) ?? [] })),
            uploads: uploads.toSorted(byName).map(expiring),
          })
        }),
      ),
    read: (name) => new ResultAsync(named(name, (store) => read(store, name))),
    upload: (name, part, chunks) =>
      new ResultAsync(
        changing(name, async (store) => {
          const limit = limits.diskImageUploads
          if (parts >= limit) return err({ type: 'limit-reached', what: 'uploads at the same time', limit })
          parts += 1
          try {
            return await takePart(store, name, part, chunks)
          } finally {
            parts -= 1
          }
        }),
      ),
    create: (disk) => new ResultAsync(changing(disk.name, (store) => createDisk(store, disk))),
    resize: (name, size) => new ResultAsync(changing(name, (store) => resizeDisk(store, name, size))),
    remove: (name) => new ResultAsync(changing(name, (store) => removeImage(store, name))),
  }
}

const byName = (one: { readonly name: string }, other: { readonly name: string }) => (one.name < other.name ? -1 : 1)

function partError(outcome: Exclude<AppendOutcome, 'appended'>, name: string, bytes: number): EmulationError {
  switch (outcome) {
    case 'length-differs':
      return { type: 'upload-length-wrong', name, bytes }
    case 'digest-differs':
      return { type: 'digest-differs', name, of: 'part' }
    case 'disk-full':
      return { type: 'disk-full' }
  }
}
