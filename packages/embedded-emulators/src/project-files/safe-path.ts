import { lstatSync, type Stats } from 'node:fs'
import { join } from 'node:path'
import { isPlainName, Refusal } from '@trivium/emulation-core/ports'

export const hasCode = (error: unknown, ...codes: readonly string[]): boolean =>
  error instanceof Error && 'code' in error && codes.some((code) => code === error.code)

export const isAbsent = (error: unknown): boolean => hasCode(error, 'ENOENT', 'ENOTDIR')

/** The result of `lstat`, `undefined` when the path does not exist. */
export const lstatOrUndefined = async (path: string): Promise<Stats | undefined> => {
  try {
    // The kernel has this in memory: the thread pool costs twenty times as much.
    return lstatSync(path, { throwIfNoEntry: false })
  } catch (error) {
    if (isAbsent(error)) return undefined
    throw error
  }
}

/** Throws a `Refusal` unless the name is a plain file name. */
export const requirePlainName = (name: string): void => {
  if (!isPlainName(name))
    throw new Refusal('not-allowed', `'${name.replace(/\p{Cc}/gu, '?')}' is not a plain file name.`)
}

/** Throws a `Refusal` unless the text is the name of one directory entry. */
export const requireSingleName = (name: string): void => {
  if (name === '' || name === '.' || name === '..' || /[/\0]/.test(name))
    throw new Refusal('not-allowed', `'${name.replace(/\p{Cc}/gu, '?')}' is not a file name.`)
}

/** Rejects where a part of the path below `base` is a symbolic link or a file. @returns whether the whole path exists */
export async function isRealDirectory(base: string, ...parts: readonly string[]): Promise<boolean> {
  let path = base
  for (const part of parts) {
    requireSingleName(part)
    path = join(path, part)
    const entry = await lstatOrUndefined(path)
    if (entry === undefined) return false
    if (!entry.isDirectory()) throw new Refusal('not-allowed', `'${path}' is not a directory of the project.`)
  }
  return true
}
