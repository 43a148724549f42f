import type { Handlers } from '@trivium/http-contract'
import type { DiskImageUser } from '../../disk-images/disk-image-user.ts'
import type { ExpiringUpload, ReadyDiskImage } from '../../disk-images/disk-images.ts'
import type { Emulation } from '../../index.ts'
import type { DiskImage } from '../../ports.ts'
import { failure } from '../errors/failure.ts'
import { toFailure } from '../errors/to-failure.ts'
import { wireKinds } from '../kinds/kind-names.ts'
import { withoutNullish } from '../requests/fields.ts'
import type { ContentRange } from './content-range.ts'
import type { diskImageOperations } from './disk-image-operations.ts'

const MEGABYTE = 2 ** 20

export function diskImageHandlers({ diskImages }: Pick<Emulation, 'diskImages'>): Handlers<typeof diskImageOperations> {
  return {
    listDiskImages: () =>
      diskImages.list().match(
        ({ images, uploads }) =>
          ({
            status: 200,
            body: [...images.map((image) => imageToWire(image, image.users)), ...uploads.map(uploadToWire)].sort(
              (one, other) => (one.name < other.name ? -1 : 1),
            ),
          }) as const,
        toFailure,
      ),
    createDiskImage: ({ body }) =>
      diskImages
        .create({ name: body.name, format: body.format, virtualBytes: body.size_mb * MEGABYTE })
        .match((found) => ({ status: 201, body: readyToWire(found) }) as const, toFailure),
    getDiskImage: ({ params }) =>
      diskImages
        .read(params.name)
        .match(
          (found) =>
            ({ status: 200, body: found.state === 'ready' ? readyToWire(found) : uploadToWire(found.upload) }) as const,
          toFailure,
        ),
    putDiskImage: ({ params, headers, upload }) => {
      const { 'content-range': given, 'content-digest': partSha256, 'repr-digest': sha256 } = headers
      const range = given ?? wholeOf(upload.length)
      if (!range) return failure(400, "An upload without 'content-range' needs a 'content-length' of at least 1.")
      if (upload.length !== undefined && upload.length !== range.bytes)
        return failure(400, `The body has ${upload.length} bytes, and its 'content-range' ${range.bytes}.`)
      const part = { ...range, ...withoutNullish({ partSha256, sha256 }) }
      return diskImages.upload(params.name, part, upload.chunks).match((found) => {
        if (found.state === 'uploading') return { status: 202, body: uploadToWire(found.upload) } as const
        return { status: 201, body: readyToWire(found) } as const
      }, toFailure)
    },
    resizeDiskImage: ({ params, body }) =>
      diskImages
        .resize(params.name, { virtualBytes: body.size_mb * MEGABYTE, shrink: body.shrink })
        .match((found) => ({ status: 200, body: readyToWire(found) }) as const, toFailure),
    deleteDiskImage: ({ params }) => diskImages.remove(params.name).match(() => ({ status: 204 }) as const, toFailure),
  }
}

/** A body without a range is the whole file. */
function wholeOf(length: number | undefined): ContentRange | undefined {
  return length === undefined || length < 1 ? undefined : { offset: 0, bytes: length, totalBytes: length }
}

const readyToWire = ({ image, users }: ReadyDiskImage) => imageToWire(image, users)

const imageToWire = ({ name, bytes, modifiedAt, facts }: DiskImage, users: readonly DiskImageUser[]) =>
  ({
    state: 'ready',
    name,
    bytes,
    modified_at: modifiedAt.toISOString(),
    format: facts?.format ?? null,
    virtual_bytes: facts?.virtualBytes ?? null,
    allocated_bytes: facts?.allocatedBytes ?? null,
    backing_file: facts?.backingFile ?? null,
    sha256: facts?.sha256 ?? null,
    md5: facts?.md5 ?? null,
    used_by: users.map((user) => ({
      project_id: user.projectId,
      kind: wireKinds[user.kind],
      id: user.id,
      name: user.name,
    })),
  }) as const

const uploadToWire = ({ name, receivedBytes, totalBytes, modifiedAt, expiresAt }: ExpiringUpload) =>
  ({
    state: 'uploading',
    name,
    received_bytes: receivedBytes,
    total_bytes: totalBytes,
    modified_at: modifiedAt.toISOString(),
    expires_at: expiresAt.toISOString(),
  }) as const
