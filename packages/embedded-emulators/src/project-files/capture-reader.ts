import { constants } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { join } from 'node:path'
import { hasFile } from './text-file.ts'
import { type DirectoryPath, withDirectory } from './with-directory.ts'

const PIECE_BYTES = 64 * 1024

/** Milliseconds between two checks of a growing file, which another process can write. */
const POLL_MS = 500

export interface ReadCaptureOptions {
  readonly follow: boolean
  readonly signal: AbortSignal
  /** Calls back when this process has written to the file. @returns a function that ends it */
  readonly watch: (changed: () => void) => () => void
}

async function* pieces(file: FileHandle, { follow, signal, watch }: ReadCaptureOptions): AsyncGenerator<Uint8Array> {
  let changes = 0
  let wake: (() => void) | undefined
  const changed = () => {
    changes += 1
    wake?.()
  }
  const unwatch = watch(changed)
  signal.addEventListener('abort', changed)
  try {
    let position = 0
    while (!signal.aborted) {
      const seen = changes
      const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(PIECE_BYTES), 0, PIECE_BYTES, position)
      position += bytesRead
      if (bytesRead > 0) yield buffer.subarray(0, bytesRead)
      else if (!follow || (await file.stat()).nlink === 0) return
      else if (seen === changes) {
        await new Promise<void>((resolve) => {
          wake = resolve
          setTimeout(resolve, POLL_MS).unref()
        })
      }
    }
  } finally {
    unwatch()
    signal.removeEventListener('abort', changed)
    await file.close()
  }
}

/** The bytes of the file, `undefined` when absent. The file is open from the first read until the reader ends. */
export async function readCaptureFile(
  directory: DirectoryPath,
  name: string,
  options: ReadCaptureOptions,
): Promise<AsyncIterable<Uint8Array> | undefined> {
  if ((await withDirectory(directory, (held) => hasFile(held, name))) !== true) return undefined
  return {
    async *[Symbol.asyncIterator]() {
      const file = await withDirectory(directory, (held) =>
        open(join(held, name), constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK),
      )
      if (file !== undefined) yield* pieces(file, options)
    },
  }
}
