import { lstat, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type DiskInterface, Refusal } from '@trivium/emulation-core/ports'
import { allowedFile, type ImageDirectories } from '../images/allowed-file.ts'
import { runProgram } from '../processes/run-program.ts'
import { checkDiskImage, type ImageTool } from './disk-image.ts'
import type { MachineDisk } from './drives.ts'

/** The disk of a machine without an image, as routers store their settings on it. */
const FLASH_FILE = 'flash.qcow2'
const FLASH_SIZE = '128M'

export const diskNames = ['hda', 'hdb', 'hdc', 'hdd'] as const

export interface InstanceDisksOptions {
  /** The directory of the instance. */
  readonly directory: string
  /** The four disks in their order, with an empty path for one that is absent. */
  readonly wanted: readonly WantedDisk[]
  readonly images: ImageDirectories
  readonly tool: ImageTool
}

/** The image of a disk, and its bus. */
export interface WantedDisk {
  readonly image: string
  readonly interface: DiskInterface
}

/**
 * Creates missing disks of a machine: an overlay over each image, or an empty disk without a first image. An overlay is
 * kept between starts. When the image has changed, the old overlay is renamed to `….previous.qcow2`. Images and their
 * bases must be in the allowed directories.
 */
export async function prepareDisks(options: InstanceDisksOptions): Promise<readonly MachineDisk[]> {
  const disks: MachineDisk[] = []
  for (const [index, { image, interface: bus }] of options.wanted.entries()) {
    const name = diskNames[index]
    if (name === undefined || (image === '' && index > 0)) continue
    const path =
      image === ''
        ? await emptyDisk(join(options.directory, FLASH_FILE), options)
        : await overlay(join(options.directory, `${name}_disk.qcow2`), image, `${name} disk image`, options)
    disks.push({ path, format: 'qcow2', index, interface: bus })
  }
  return disks
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
