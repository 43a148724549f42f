import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs'

/** The most bytes of a configuration file. */
const MAX_BYTES = 2 ** 20

/** Why a file was not read. */
export class UnreadableFile extends Error {
  override readonly name = 'UnreadableFile'
}

/** Reads a file of at most 1 MiB. It does not wait for what is no file, such as a pipe. @throws UnreadableFile */
export function readText(file: string): string {
  let opened: number | undefined
  try {
    opened = openSync(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)) // Windows has no O_NONBLOCK
    if (!fstatSync(opened).isFile()) throw new UnreadableFile('is not a regular file')
    return textOf(opened)
  } catch (error) {
    if (error instanceof UnreadableFile) throw error
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    throw new UnreadableFile(`of --config cannot be read (${String(code ?? error)})`)
  } finally {
    if (opened !== undefined) closeSync(opened)
  }
}

function textOf(opened: number): string {
  const bytes = Buffer.allocUnsafe(MAX_BYTES + 1)
  let length = 0
  while (length < bytes.length) {
    const read = readSync(opened, bytes, length, bytes.length - length, null)
    if (read === 0) return bytes.toString('utf8', 0, length)
    length += read
  }
  throw new UnreadableFile(`is larger than ${MAX_BYTES} bytes`)
}
