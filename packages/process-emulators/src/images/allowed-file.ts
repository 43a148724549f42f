import { constants } from 'node:fs'
import { access, realpath, stat } from 'node:fs/promises'
import { dirname, isAbsolute, resolve, sep } from 'node:path'
import { Refusal } from '@trivium/emulation-core/ports'
import { HIDDEN_DIRECTORY } from './hidden-directory.ts'

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
  const named = await namedPath(path, title, images)
  const realPath = await realpath(named).catch(() => {
    throw new Refusal('unusable-image', `${title} '${path}' is not accessible.`)
  })
  if (!(await isAllowed(realPath, images))) throw outside(path, title)
  const usable = await stat(realPath).then(
    (status) => status.isFile() && access(realPath, constants.R_OK).then(() => true),
    () => false,
  )
  if (!usable) throw new Refusal('unusable-image', `${title} '${path}' is not a readable file.`)
  return { path: named, realPath }
}

/**
 * Checks a path that an instance names before its start: a file that {@link allowedFile} accepts, or one that does not
 * exist yet. Rejects with `not-allowed` for a path outside, also through a link to a directory.
 *
 * @returns the path, absolute
 */
export async function allowedPath(path: string, title: string, images: ImageDirectories): Promise<string> {
  const named = await namedPath(path, title, images)
  if (await exists(named)) return (await allowedFile(path, title, images)).path
  let parent = dirname(named)
  while ((await isAllowed(parent, images)) && !(await exists(parent))) parent = dirname(parent)
  if ((await isAllowed(parent, images)) && !(await isAllowed(await resolveLinks(parent), images)))
    throw outside(path, title)
  return named
}

/** Returns the absolute path that a client names. */
async function namedPath(path: string, title: string, images: ImageDirectories): Promise<string> {
  const [baseDirectory] = images.directories
  if (path.includes('\0') || (!isAbsolute(path) && baseDirectory === undefined)) throw outside(path, title)
  const named = isAbsolute(path) ? resolve(path) : resolve(baseDirectory ?? sep, path)
  if (!(await isAllowed(named, images))) throw outside(path, title)
  return named
}

/** Whether the path leads to a file or directory. A link to nothing does not. */
const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  )

/** Whether the path is in the directories or one of the files, as they are written or with their links resolved. */
export async function isAllowed(path: string, { directories, files }: ImageDirectories): Promise<boolean> {
  for (const file of files) if (path === resolve(file) || path === (await resolveLinks(file))) return true
  for (const directory of directories)
    if (isInside(path, resolve(directory)) || isInside(path, await resolveLinks(directory))) return true
  return false
}

function isInside(path: string, directory: string): boolean {
  const start = directory.endsWith(sep) ? directory : directory + sep
  return path.startsWith(start) && !path.slice(start.length).split(sep).includes(HIDDEN_DIRECTORY)
}

const resolveLinks = (path: string) => realpath(path).catch(() => resolve(path))

const outside = (path: string, title: string) =>
  new Refusal('not-allowed', `${title} '${path}' is outside of the directories that this server allows.`)
