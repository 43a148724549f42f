import { lstat, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Refusal } from '@trivium/emulation-core/ports'
import { allowedFile, type ImageDirectories } from '../images/allowed-file.ts'
import { runProgram } from '../processes/run-program.ts'
import type { MachineDisk } from './command-line.ts'
import { checkDiskImage, type ImageTool } from './disk-image.ts'

/** The disk of a machine that names none: what a router keeps its settings on. */
const FLASH_FILE = 'flash.qcow2'
const FLASH_SIZE = '128M'

export interface InstanceDisksOptions {
  /** The instance's own. */
  readonly directory: string
  readonly primaryDisk: string
  readonly secondaryDisk: string
  readonly images: ImageDirectories
  readonly tool: ImageTool
}

/**
 * Makes what is missing of a machine's own disks: an overlay over each image, or an empty disk where no first image is
 * named. An overlay is kept between starts; when another image was set since, the old one stays beside it as
 * `….previous.qcow2`. Images, and what they are based on, must lie in the allowed directories.
 */
export async function prepareDisks(options: InstanceDisksOptions): Promise<readonly MachineDisk[]> {
  const { directory, primaryDisk, secondaryDisk } = options
  const first =
    primaryDisk === ''
      ? await emptyDisk(join(directory, FLASH_FILE), options)
      : await overlay(join(directory, 'hda_disk.qcow2'), primaryDisk, 'hda disk image', options)
  if (secondaryDisk === '') return [{ path: first, format: 'qcow2', index: 0 }]
  const second = await overlay(join(directory, 'hdb_disk.qcow2'), secondaryDisk, 'hdb disk image', options)
  return [
    { path: first, format: 'qcow2', index: 0 },
    { path: second, format: 'qcow2', index: 1 },
  ]
}

async function overlay(path: string, image: string, title: string, options: InstanceDisksOptions): Promise<string> {
  const { directory, images, tool } = options
  const { realPath } = await allowedFile(image, title, images)
  const { format } = await checkDiskImage(realPath, tool, images)
  if (await isMade(path)) {
    const own = { directories: [...images.directories, directory], files: images.files }
    const { backingFile } = await checkDiskImage(path, tool, own)
    if (backingFile === realPath) return path
    await rename(path, path.replace(/\.qcow2$/, '.previous.qcow2'))
  }
  await create(path, ['-F', format, '-b', realPath], [], tool)
  return path
}

async function emptyDisk(path: string, { directory, tool }: InstanceDisksOptions): Promise<string> {
  if (await isMade(path)) await checkDiskImage(path, tool, { directories: [directory], files: [] })
  else await create(path, [], [FLASH_SIZE], tool)
  return path
}

/** Made under another name first: a disk that is half made is never taken for one. */
async function create(
  path: string,
  base: readonly string[],
  size: readonly string[],
  { program, environment }: ImageTool,
) {
  const unfinished = `${path}.new`
  const { exitCode, errorOutput } = await runProgram({
    program,
    parameters: ['create', '-q', '-f', 'qcow2', ...base, unfinished, ...size],
    environment,
    timeoutMs: 60_000,
  })
  if (exitCode !== 0) {
    await rm(unfinished, { force: true })
    throw new Refusal('failed', `The disk '${path}' could not be made: ${errorOutput.trim()}`)
  }
  await rename(unfinished, path)
}

/** Whether the instance has made this disk; a link in its place would lead to somebody else's. */
async function isMade(path: string): Promise<boolean> {
  const entry = await lstat(path).catch(() => undefined)
  if (entry === undefined || entry.isFile()) return entry !== undefined
  throw new Refusal('not-allowed', `The disk '${path}' is not a regular file`)
}
