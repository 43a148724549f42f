import { constants } from 'node:fs'
import { access, open } from 'node:fs/promises'
import { Refusal } from '@trivium/emulation-core/ports'
import { type AllowedFile, allowedFile, allowedPath, type ImageDirectories } from '../images/allowed-file.ts'

/** The beginning of every ELF program. */
const MAGIC = Uint8Array.of(0x7f, 0x45, 0x4c, 0x46)
const HEADER_BYTES = 7

/** Checks that the image is allowed, executable, and a little-endian ELF program. Rejects with a `Refusal`. */
export async function routerImage(path: string, images: ImageDirectories): Promise<AllowedFile> {
  const image = await allowedFile(path, 'IOU image', images)
  const header = await readHeader(image.realPath)
  if (!isRouterProgram(header)) throw new Refusal('unusable-image', `'${path}' is not a valid IOU image.`)
  try {
    await access(image.realPath, constants.X_OK)
  } catch {
    throw new Refusal('unusable-image', `IOU image '${path}' is not executable.`)
  }
  return image
}

/** Checks the image of a router before its start, where it need not exist. @returns its path, absolute */
export async function routerImagePath(path: string, images: ImageDirectories): Promise<string> {
  const named = await allowedPath(path, 'IOU image', images)
  const isThere = await access(named).then(
    () => true,
    () => false,
  )
  return isThere ? (await routerImage(path, images)).path : named
}

function isRouterProgram(header: Uint8Array): boolean {
  const [bits, order, version] = header.subarray(MAGIC.length)
  return MAGIC.every((byte, at) => header[at] === byte) && (bits === 1 || bits === 2) && order === 1 && version === 1
}

async function readHeader(path: string): Promise<Uint8Array> {
  const file = await open(path)
  try {
    const header = new Uint8Array(HEADER_BYTES)
    await file.read(header)
    return header
  } finally {
    await file.close()
  }
}
