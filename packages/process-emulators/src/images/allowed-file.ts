import { constants } from 'node:fs'
import { access, realpath, stat } from 'node:fs/promises'
import { isAbsolute, resolve, sep } from 'node:path'
import { Refusal } from '@trivium/emulation-core/ports'

export interface ImageDirectories {
  /** Directories whose files are allowed. Relative paths start at the first. */
  readonly directories: readonly string[]
  /** Single files elsewhere that are allowed. */
  readonly files: readonly string[]
}

export interface AllowedFile {
  /** Absolute, as the client named it. */
  readonly path: string
  /** The path with its symbolic links resolved. */
  readonly realPath: string
}

/**
 * Resolves a regular, readable file that the host allows. Follows symbolic links. Rejects with `not-allowed` for a path
 * outside, existing or not, and with `unusable-image` for a file that can't be read.
 *
 * @param title the name of the file's purpose for the message, as `hda disk image`
 */
export async function allowedFile(path: string, title: string, images: ImageDirectories): Promise<AllowedFile> {
  const [baseDirectory] = images.directories
  if (path.includes('\0') || (!isAbsolute(path) && baseDirectory === undefined)) throw outside(path, title)
  const named = isAbsolute(path) ? resolve(path) : resolve(baseDirectory ?? sep, path)
  if (!(await isAllowed(named, images))) throw outside(path, title)
  const realPath = await realpath(named).catch(() => {
    throw new Refusal('unusable-image', `${title} '${path}' is not accessible`)
  })
  if (!(await isAllowed(realPath, images))) throw outside(path, title)
  const usable = await stat(realPath).then(
    (status) => status.isFile() && access(realPath, constants.R_OK).then(() => true),
    () => false,
  )
  if (!usable) throw new Refusal('unusable-image', `${title} '${path}' is not a readable file.`)
  return { path: named, realPath }
}

/** Whether the path is in the directories or one of the files, as they are written or with their links resolved. */
export async function isAllowed(path: string, { directories, files }: ImageDirectories): Promise<boolean> {
  for (const file of files) if (path === resolve(file) || path === (await resolveLinks(file))) return true
  for (const directory of directories)
    if (isInside(path, resolve(directory)) || isInside(path, await resolveLinks(directory))) return true
  return false
}

const isInside = (path: string, directory: string) =>
  path.startsWith(directory.endsWith(sep) ? directory : directory + sep)

const resolveLinks = (path: string) => realpath(path).catch(() => resolve(path))

const outside = (path: string, title: string) =>
  new Refusal('not-allowed', `${title} '${path}' is outside of the directories that this server allows.`)
