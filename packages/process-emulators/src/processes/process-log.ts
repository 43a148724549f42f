import { type FileHandle, rename } from 'node:fs/promises'
import { openPlainFile } from './write-plain-file.ts'

const EXCERPT_BYTES = 4096

/** The output of a process, in a file that each start overwrites. */
export interface ProcessLog {
  /** Queues bytes. Leaves them out of the file where more than `limitBytes` would wait for the disk. */
  write(bytes: Uint8Array): void
  /** The last 4 KiB at most, trimmed. */
  excerpt(): string
  /** Resolves when everything is written. Never rejects. */
  close(): Promise<void>
}

export interface ProcessLogOptions {
  readonly path: string
  /** At this size the file becomes `<path>.1`, which replaces an older one, and a new one begins. @default 512 KiB */
  readonly limitBytes?: number
  /** Called with the size of each piece that was written. */
  readonly onWritten?: ((bytes: number) => void) | undefined
}

/** Opens the log. Where the file can't be written, keeps only the excerpt, so that the machine still runs. */
export function createProcessLog({ path, limitBytes = 512 * 1024, onWritten }: ProcessLogOptions): ProcessLog {
  let file: FileHandle | undefined
  let size = 0
  let queued = 0
  let tail: Uint8Array = new Uint8Array()
  let work: Promise<void> = openPlainFile(path).then(
    (handle) => {
      file = handle
    },
    () => {},
  )

  const store = async (bytes: Uint8Array) => {
    if (file === undefined) return
    if (size > 0 && size + bytes.length > limitBytes) {
      await file.close()
      file = undefined
      await rename(path, `${path}.1`)
      file = await openPlainFile(path)
      size = 0
    }
    size += bytes.length
    await file.write(bytes)
    onWritten?.(bytes.length)
  }

  return {
    write: (bytes) => {
      const joined = Buffer.concat([tail, bytes.subarray(-EXCERPT_BYTES)])
      tail = joined.subarray(-EXCERPT_BYTES)
      if (queued + bytes.length > limitBytes) return
      queued += bytes.length
      work = work
        .then(() => store(bytes))
        .catch(() => {})
        .then(() => {
          queued -= bytes.length
        })
    },
    excerpt: () => new TextDecoder().decode(tail).trim(),
    close: () => {
      work = work
        .then(() => file?.close())
        .catch(() => {})
        .then(() => {
          file = undefined
        })
      return work
    },
  }
}
