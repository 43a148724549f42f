import { realpath } from 'node:fs/promises'
import { dirname, isAbsolute, resolve } from 'node:path'
import { Refusal } from '@trivium/emulation-core/ports'
import { type ImageDirectories, isAllowed } from '../images/allowed-file.ts'
import type { ProcessEnvironment } from '../processes/process-environment.ts'
import { runProgram } from '../processes/run-program.ts'
import { isRecord, parseRecord } from './json-record.ts'

/** Longer chains, and images with more parts, are refused as an error or an attack. */
const LONGEST_CHAIN = 32
const MAX_PARTS = 256

const formats: ReadonlySet<unknown> = new Set(['raw', 'qcow2', 'qcow', 'qed', 'vdi', 'vmdk', 'vpc', 'vhdx'])

export interface DiskImage {
  readonly format: string
  /** The absolute path of its base. */
  readonly backingFile: string | undefined
  /** Absolute paths of other files with its data. */
  readonly parts: readonly string[]
}

/** The program `qemu-img` and its environment. */
export interface ImageTool {
  readonly program: string
  readonly environment: ProcessEnvironment
}

/**
 * Reads the format and the references of an image, without opening its base.
 *
 * @param path absolute, of an allowed file
 */
export async function readDiskImage(path: string, { program, environment }: ImageTool): Promise<DiskImage> {
  const { exitCode, output, errorOutput } = await runProgram({
    program,
    // A running machine has a lock on its overlay.
    parameters: ['info', '--output=json', '-U', path],
    environment,
    timeoutMs: 10_000,
  })
  if (exitCode !== 0) {
    throw new Refusal('unusable-image', `'${path}' is not a disk image: ${errorOutput.trim().split('\n').at(-1) ?? ''}`)
  }
  return describeDiskImage(path, output)
}

/** Reads the output of `qemu-img info --output=json` for one image. */
export function describeDiskImage(path: string, output: string): DiskImage {
  const information = parseRecord(output)
  const format = information?.format
  if (information === undefined || typeof format !== 'string' || !formats.has(format)) {
    throw new Refusal('unusable-image', `'${path}' has a format that is not supported.`)
  }
  const backing = information['full-backing-filename'] ?? information['backing-filename']
  const backingFormat = information['backing-filename-format']
  if (backingFormat !== undefined && !formats.has(backingFormat)) throw forbiddenReference(path, String(backingFormat))
  return {
    format,
    backingFile: backing === undefined ? undefined : fileOf(backing, path),
    parts: partsOf(information)
      .map((name) => fileOf(name, path))
      .filter((part) => part !== path),
  }
}

/**
 * Reads the image and all of its bases. Refuses a chain that leaves the allowed directories, as the header of an image
 * can name any file of the host.
 *
 * @param path absolute, of an allowed file
 * @returns the image itself
 */
export async function checkDiskImage(path: string, tool: ImageTool, images: ImageDirectories): Promise<DiskImage> {
  const first = await readDiskImage(path, tool)
  let image = first
  let from = path
  for (let depth = 0; ; depth += 1) {
    for (const part of image.parts) await allowedReference(from, part, images)
    if (image.backingFile === undefined) return first
    if (depth === LONGEST_CHAIN) throw new Refusal('unusable-image', `'${path}' is based on more than 32 other images.`)
    const next = await allowedReference(from, image.backingFile, images)
    image = await readDiskImage(next, tool)
    from = next
  }
}

/** @returns the path with symbolic links resolved */
async function allowedReference(from: string, file: string, images: ImageDirectories): Promise<string> {
  if (!(await isAllowed(file, images))) throw forbiddenReference(from, file)
  const real = await realpath(file).catch(() => {
    throw new Refusal('unusable-image', `'${from}' is based on '${file}', which is not accessible.`)
  })
  if (!(await isAllowed(real, images))) throw forbiddenReference(from, file)
  return real
}

function fileOf(name: unknown, path: string): string {
  // `nbd:…`, `json:…` and similar names are not files.
  if (typeof name !== 'string' || name === '' || /^[^/]*:/.test(name)) throw forbiddenReference(path, String(name))
  return isAbsolute(name) ? resolve(name) : resolve(dirname(path), name)
}

/** External data files, the extents of VMDK, and the children that newer versions list. */
function partsOf(information: Readonly<Record<string, unknown>>): readonly unknown[] {
  const specific = information['format-specific']
  const data = isRecord(specific) && isRecord(specific.data) ? specific.data : {}
  const extents: readonly unknown[] = Array.isArray(data.extents) ? data.extents : []
  const children: readonly unknown[] = Array.isArray(information.children) ? information.children : []
  if (extents.length + children.length > MAX_PARTS)
    throw new Refusal('unusable-image', 'The disk image has too many parts.')
  return [
    ...(data['data-file'] === undefined ? [] : [data['data-file']]),
    ...extents.map((extent) => (isRecord(extent) ? extent.filename : undefined)),
    ...children.map((child) => (isRecord(child) && isRecord(child.info) ? child.info.filename : undefined)),
  ]
}

const forbiddenReference = (path: string, name: string) =>
  new Refusal('not-allowed', `Disk image '${path}' refers to '${name}', which this server does not allow.`)
