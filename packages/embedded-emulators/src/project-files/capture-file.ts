import { constants } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { CaptureFile } from '@trivium/emulation-core/ports'
import { diskFailure } from './disk-failure.ts'
import { openPrivate } from './private-files.ts'
import { hasFile } from './text-file.ts'

export interface CaptureFileOptions {
  /** The directory of the file. Its path needs to be valid only until the file is open. */
  readonly directory: string
  readonly name: string
  /** The path that `CaptureFile` reports. */
  readonly path: string
  /** Called when readers can read more bytes. */
  readonly written: () => void
}

/** Creates the file, or replaces an old one, which its readers still read to its end. */
export async function createCaptureFile(options: CaptureFileOptions): Promise<CaptureFile> {
  const { directory, name, path, written } = options
  const filePath = join(directory, name)
  if (await hasFile(directory, name)) await rm(filePath)
  const file = await openPrivate(
    filePath,
    constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW,
  )
  let queue: Uint8Array[] = []
  let bufferedBytes = 0
  let writtenBytes = 0
  let writing: Promise<void> | undefined
  let failure: { readonly error: unknown } | undefined
  let closed: Promise<void> | undefined

  const flush = async () => {
    while (queue.length > 0 && failure === undefined) {
      const pieces = queue
      queue = []
      const bytes = Buffer.concat(pieces)
      try {
        await file.writeFile(bytes)
        writtenBytes += bytes.length
        written()
      } catch (error) {
        failure = { error }
        // Pieces are whole records. After a part of one, other programs could not read the file.
        await file.truncate(writtenBytes).catch(() => {})
        queue = []
      }
      bufferedBytes -= bytes.length
    }
    writing = undefined
  }

  return {
    path,
    get bufferedBytes() {
      return bufferedBytes
    },
    write(bytes) {
      if (closed !== undefined || failure !== undefined) return
      queue.push(bytes)
      bufferedBytes += bytes.length
      writing ??= flush()
    },
    close() {
      closed ??= (async () => {
        await writing
        await file.close()
        written()
        if (failure !== undefined) throw diskFailure(failure.error)
      })()
      return closed
    },
  }
}
