import { lstat, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Refusal } from '@trivium/emulation-core/ports'
import { allowedFile, type ImageDirectories } from '../images/allowed-file.ts'
import { runProgram } from '../processes/run-program.ts'
import type { MachineDisk } from './command-line.ts'
import { checkDiskImage, type ImageTool } from './disk-image.ts'

/** The disk of a machine without an image, as routers store their settings on it. */
const FLASH_FILE = 'flash.qcow2'
const FLASH_SIZE = '128M'

export interface InstanceDisksOptions {
  /** The directory of the instance. */
  readonly directory: string
  readonly primaryDisk: string
  readonly secondaryDisk: string
  readonly images: ImageDirectories
  readonly tool: ImageTool
}

/**
 * Creates missing disks of a machine: an overlay over each image, or an empty disk without a first image. An overlay is
 * kept between starts. When the image has changed, the old overlay is renamed to `….previous.qcow2`. Images and their
 * bases must be in the allowed directories.
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
  if (await exists(path)) {
    const own = { directories: [...images.directories, directory], files: images.files }
    const { backingFile } = await checkDiskImage(path, tool, own)
    if (backingFile === realPath) return path
    await rename(path, path.replace(/\.qcow2$/, '.previous.qcow2'))
  }
  await create(path, ['-F', format, '-b', realPath], [], tool)
  return path
}

async function emptyDisk(path: string, { directory, tool }: InstanceDisksOptions): Promise<string> {
  if (await exists(path)) await checkDiskImage(path, tool, { directories: [directory], files: [] })
  else await create(path, [], [FLASH_SIZE], tool)
  return path
}

/** Creates the disk under another name first, so that an incomplete one is never used. */
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
    throw new Refusal('failed', `The disk '${path}' could not be created: ${errorOutput.trim()}`)
  }
  await rename(unfinished, path)
}

/** Whether the disk exists. Refuses a link, which could lead to the disk of another instance. */
async function exists(path: string): Promise<boolean> {
  const entry = await lstat(path).catch(() => undefined)
  if (entry === undefined || entry.isFile()) return entry !== undefined
  throw new Refusal('not-allowed', `The disk '${path}' is not a regular file.`)
}
