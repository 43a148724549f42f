import { readlink, rm, symlink } from 'node:fs/promises'
import { basename, extname, join } from 'node:path'
import { Refusal } from '@trivium/emulation-core/ports'

/** Longer names of programs make images fail. */
const LONGEST_NAME = 63

/** Links the image into its working directory. Newer images require that to check their signature. */
export async function linkImage(image: string, directory: string): Promise<string> {
  const extension = extname(image)
  const name = basename(image, extension).slice(0, LONGEST_NAME - extension.length) + extension
  const link = join(directory, name)
  const target = await readlink(link).catch(() => undefined)
  if (target === image) return link
  if (target !== undefined) await rm(link)
  await symlink(image, link).catch((cause) => {
    throw new Refusal('unusable-image', `An IOU image can't have the name '${name}'.`, { cause })
  })
  return link
}
