import { randomUUID } from 'node:crypto'
import { constants } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Refusal } from '@trivium/emulation-core/ports'
import { openPrivate, syncDirectory } from './private-files.ts'
import { isAbsent, lstatOrUndefined, requirePlainName } from './safe-path.ts'

const MAX_BYTES = 1024 * 1024

/** Returns whether the directory has a regular file of that plain name. Rejects for links and other entries. */
export async function hasFile(directory: string, name: string): Promise<boolean> {
  requirePlainName(name)
  const entry = await lstatOrUndefined(join(directory, name))
  if (entry !== undefined && !entry.isFile()) throw new Refusal('not-allowed', `'${name}' is not a regular file.`)
  return entry !== undefined
}

/** Reads at most 1 MiB. `undefined` when absent. Follows no symbolic link, even one that replaces the file. */
export async function readTextFile(directory: string, name: string): Promise<string | undefined> {
  if (!(await hasFile(directory, name))) return undefined
  const file = await open(join(directory, name), constants.O_RDONLY | constants.O_NOFOLLOW).catch((error: unknown) => {
    if (isAbsent(error)) return undefined
    throw error
  })
  if (file === undefined) return undefined
  try {
    const { size } = await file.stat()
    const buffer = Buffer.allocUnsafe(Math.min(size, MAX_BYTES))
    let length = 0
    while (length < buffer.length) {
      const { bytesRead } = await file.read(buffer, length, buffer.length - length, length)
      if (bytesRead === 0) break
      length += bytesRead
    }
    return buffer.toString('utf8', 0, length)
  } finally {
    await file.close()
  }
}

/**
 * Replaces the file in one step: a crash leaves the old content or the new. With `power`, a power failure after that
 * leaves the new one. The directory exists.
 */
export async function writeTextFile(
  directory: string,
  name: string,
  content: string,
  durability: 'process' | 'power',
): Promise<void> {
  await hasFile(directory, name)
  const temporary = join(directory, `.${randomUUID()}.tmp`)
  try {
    const file = await openPrivate(temporary, 'wx')
    try {
      await file.writeFile(content)
      await file.datasync()
    } finally {
      await file.close()
    }
    await rename(temporary, join(directory, name))
    if (durability === 'power') await syncDirectory(directory)
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
}
