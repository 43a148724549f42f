import { readdir, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { ImageId, ImageStore, StoredImage } from '@trivium/gateway-core/ports'
import * as v from 'valibot'
import { type Durability, makePrivateDirectory, syncDirectory, writePrivateFile } from '../private-files.ts'

/** The file name of an image contains its metadata, so that one read returns all of it. */
const fileName = v.pipe(v.string(), v.regex(/^[\w-]{22,64}\.\d{1,16}\.(png|jpeg|webp)$/))
/** A draft is an image that a killed server did not complete. */
const REMOVABLE = /^[\w-]{22,64}\.(\d{1,16})\.(png|jpeg|webp)(\.draft)?$/
const subtype = v.picklist(['png', 'jpeg', 'webp'])

export interface DirectoryImagesOptions {
  readonly directory: string
  /** What a stored image survives. */
  readonly durability: Durability
}

/** Stores generated images as files of one directory, named `<id>.<expiry in milliseconds>.<type>`. */
export function directoryImages({ directory, durability }: DirectoryImagesOptions): ImageStore {
  const list = async (): Promise<readonly string[]> => {
    try {
      return await readdir(directory)
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
      throw error
    }
  }
  return {
    async put(id, { bytes, contentType, expiresAt }) {
      makePrivateDirectory(directory)
      const name = `${id}.${expiresAt.getTime()}.${contentType.slice('image/'.length)}`
      const draft = join(directory, `${name}.draft`)
      try {
        await writePrivateFile(draft, bytes, durability)
        await rename(draft, join(directory, name))
      } catch (error) {
        await rm(draft, { force: true })
        throw error
      }
      if (durability === 'power') await syncDirectory(directory)
    },
    async find(id: ImageId, now: Date): Promise<StoredImage | undefined> {
      const name = (await list()).find((name) => name.startsWith(`${id}.`) && v.is(fileName, name))
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
    async removeExpired(now, since = new Date(0)) {
      const expired = (await list()).filter((name) => {
        const expiry = Number(REMOVABLE.exec(name)?.[1])
        return expiry <= now.getTime() && expiry >= since.getTime()
      })
      await Promise.all(expired.map((name) => rm(join(directory, name), { force: true })))
      return expired.length
    },
  }
}
