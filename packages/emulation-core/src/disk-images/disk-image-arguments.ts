import * as v from 'valibot'
import { wholeWithin } from '../bounds.ts'
import type { ArgumentSchemas } from '../check-arguments.ts'
import { diskImageFormats } from './disk-image.ts'
import type { DiskImages } from './disk-images.ts'

const bytes = wholeWithin(0, Number.MAX_SAFE_INTEGER)
const digest = v.optional(v.pipe(v.string(), v.regex(/^[\da-f]{64}$/, 'must be 64 lower case hexadecimal digits')))
const virtualBytes = wholeWithin(1, Number.MAX_SAFE_INTEGER)

/** What the methods of {@link DiskImages} take. A name that cannot be one of an image is an error of the operations. */
export const diskImageArguments: ArgumentSchemas<DiskImages> = {
  list: [],
  read: [v.string()],
  upload: [
    v.string(),
    v.object({
      offset: v.optional(bytes),
      bytes,
      totalBytes: wholeWithin(1, Number.MAX_SAFE_INTEGER),
      partSha256: digest,
      sha256: digest,
    }),
    v.custom<AsyncIterable<Uint8Array>>(
      (value) => typeof value === 'object' && value !== null && Symbol.asyncIterator in value,
      'must be an async iterable',
    ),
  ],
  create: [v.object({ name: v.string(), format: v.picklist(diskImageFormats), virtualBytes })],
  resize: [v.string(), v.object({ virtualBytes, shrink: v.optional(v.boolean()) })],
  remove: [v.string()],
}
