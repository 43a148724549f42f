import { type Contract, noBody } from '@trivium/http-contract'
import * as v from 'valibot'
import { diskImageFormats } from '../../ports.ts'
import { failureResponses } from '../errors/failure.ts'
import { wireKinds } from '../kinds/kind-names.ts'
import { fields, flag, integer, oneOf, text, whole } from '../requests/fields.ts'
import { contentRange } from './content-range.ts'
import { digestHeader } from './digest-header.ts'

/** The path of all disk images. */
const IMAGES = '/v1/disk-images'
const IMAGE = `${IMAGES}/{name}` as const

/** The most characters of a name, before its own rule is checked. */
const LONGEST_NAME = 1000
/** 1 PiB. The limits of the host are far below. */
const MOST_MEGABYTES = 2 ** 30

const users = v.array(
  v.object({ project_id: v.string(), kind: v.picklist(Object.values(wireKinds)), id: v.string(), name: v.string() }),
)

const readyImage = v.pipe(
  v.object({
    state: v.literal('ready'),
    name: v.string(),
    bytes: whole,
    modified_at: v.string(),
    format: v.nullable(v.string()),
    virtual_bytes: v.nullable(whole),
    allocated_bytes: v.nullable(whole),
    backing_file: v.nullable(v.string()),
    sha256: v.nullable(v.string()),
    md5: v.nullable(v.string()),
    used_by: users,
  }),
  v.title('DiskImage'),
)

const upload = v.pipe(
  v.object({
    state: v.literal('uploading'),
    name: v.string(),
    received_bytes: whole,
    total_bytes: whole,
    modified_at: v.string(),
    expires_at: v.string(),
  }),
  v.title('DiskImageUpload'),
)

const either = v.variant('state', [readyImage, upload])
const inImage = v.object({ name: v.string() })
const megabytes = integer(1, MOST_MEGABYTES)
const common = { tags: ['disk images'] } as const

export const diskImageOperations = {
  listDiskImages: {
    ...common,
    method: 'GET',
    path: IMAGES,
    summary: 'Lists the disk images and the unfinished uploads by their names',
    description: 'What is not known of an image without reading it is `null`.',
    responses: { 200: v.array(either), ...failureResponses },
  },
  createDiskImage: {
    ...common,
    method: 'POST',
    path: IMAGES,
    summary: 'Creates an empty disk',
    body: fields({
      name: text(LONGEST_NAME),
      format: v.optional(oneOf(diskImageFormats), 'qcow2'),
      size_mb: megabytes,
    }),
    responses: { 201: readyImage, ...failureResponses },
  },
  getDiskImage: {
    ...common,
    method: 'GET',
    path: IMAGE,
    summary: 'Reads the format, sizes, checksums and users of a disk image, or how far its upload has come',
    params: inImage,
    responses: { 200: either, ...failureResponses },
  },
  putDiskImage: {
    ...common,
    method: 'PUT',
    path: IMAGE,
    summary: 'Uploads a disk image, or a range of it',
    description:
      'The body is the file. With `Content-Range: bytes FIRST-LAST/TOTAL` it is a range, whose first byte follows the last that was received. `bytes */TOTAL` with an empty body reads how far the upload has come, and completes one that has all of its bytes. The last range is answered with 201, others with 202.',
    params: inImage,
    headers: v.object({
      'content-range': v.optional(contentRange),
      'content-digest': v.optional(digestHeader),
      'repr-digest': v.optional(digestHeader),
    }),
    upload: v.pipe(v.string(), v.metadata({ format: 'binary' })),
    uploadType: 'application/octet-stream',
    // The service checks the size against the limits of the host before it reads a byte.
    bodyLimit: Number.MAX_SAFE_INTEGER,
    responses: { 201: readyImage, 202: upload, ...failureResponses },
  },
  resizeDiskImage: {
    ...common,
    method: 'POST',
    path: `${IMAGE}/resize`,
    summary: 'Changes the size of a disk that no instance uses',
    description: 'A smaller size needs `shrink`, and deletes what is at the end of the disk.',
    params: inImage,
    body: fields({ size_mb: megabytes, shrink: v.optional(flag, false) }),
    responses: { 200: readyImage, ...failureResponses },
  },
  deleteDiskImage: {
    ...common,
    method: 'DELETE',
    path: IMAGE,
    summary: 'Deletes a disk image that no instance uses, or an unfinished upload',
    params: inImage,
    responses: { 204: noBody, ...failureResponses },
  },
} as const satisfies Contract
