import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ImageId, ImageStore, StoredImage } from '@trivium/gateway-core/ports'
import * as v from 'valibot'

/** A picture's file name carries what else is known of it, so that one read finds it whole. */
const fileName = v.pipe(v.string(), v.regex(/^[\w-]{22,64}\.\d{1,16}\.(png|jpeg|webp)$/))
const subtype = v.picklist(['png', 'jpeg', 'webp'])

/** Generated pictures as files of one directory, named `<id>.<expiry in milliseconds>.<type>`. */
export function directoryImages(directory: string): ImageStore {
  const list = async (): Promise<readonly string[]> => {
    const names = await readdir(directory).catch(() => [])
    return names.filter((name) => v.is(fileName, name))
  }
  return {
    async put(id, { bytes, contentType, expiresAt }) {
      await mkdir(directory, { recursive: true })
      const name = `${id}.${expiresAt.getTime()}.${contentType.slice('image/'.length)}`
      const draft = join(directory, `${name}.draft`)
      await writeFile(draft, bytes)
      await rename(draft, join(directory, name))
    },
    async find(id: ImageId, now: Date): Promise<StoredImage | undefined> {
      const name = (await list()).find((name) => name.startsWith(`${id}.`))
      if (name === undefined) return undefined
      const [, expiry, type] = name.split('.')
      const expiresAt = new Date(Number(expiry))
      if (expiresAt <= now) return undefined
      return {
        bytes: new Uint8Array(await readFile(join(directory, name))),
        contentType: `image/${v.parse(subtype, type)}`,
        expiresAt,
      }
    },
    async removeExpired(now) {
      const expired = (await list()).filter((name) => Number(name.split('.')[1]) <= now.getTime())
      await Promise.all(expired.map((name) => rm(join(directory, name), { force: true })))
      return expired.length
    },
  }
}
