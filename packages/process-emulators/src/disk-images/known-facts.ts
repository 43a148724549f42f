import type { Stats } from 'node:fs'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { DiskImageFacts } from '@trivium/emulation-core/ports'
import { parseRecord } from '../qemu/json-record.ts'
import { hasCode, replaceFile } from './private-file.ts'

/** What is kept of an image. The space that it takes is read from the file system. */
export type StoredFacts = Omit<DiskImageFacts, 'allocatedBytes'>

/** Facts of images in files, as computing them reads the whole image. They count only for the file that they were read in. */
export interface KnownFacts {
  find(name: string, file: Stats): Promise<DiskImageFacts | undefined>
  store(name: string, file: Stats, facts: StoredFacts): Promise<DiskImageFacts>
  forget(name: string): Promise<void>
}

export function knownFacts(directory: string): KnownFacts {
  const pathOf = (name: string) => join(directory, `${name}.json`)
  return {
    async find(name, file) {
      const known = parseRecord(await readText(pathOf(name)))
      if (known?.identity !== identityOf(file)) return undefined
      const { format, virtualBytes, backingFile, sha256, md5 } = known
      if (typeof format !== 'string' || typeof virtualBytes !== 'number') return undefined
      return withSpace(file, {
        format,
        virtualBytes,
        backingFile: textOf(backingFile),
        sha256: textOf(sha256),
        md5: textOf(md5),
      })
    },
    async store(name, file, facts) {
      await replaceFile(pathOf(name), JSON.stringify({ identity: identityOf(file), ...facts }))
      return withSpace(file, facts)
    },
    forget: (name) => rm(pathOf(name), { force: true }),
  }
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

/** Differs when the file was replaced or written. */
const identityOf = ({ ino, size, mtimeMs }: Stats): string => `${ino} ${size} ${mtimeMs}`

/** Blocks have 512 bytes on every system. */
const withSpace = ({ blocks }: Stats, facts: StoredFacts): DiskImageFacts => ({
  ...facts,
  allocatedBytes: blocks * 512,
})

async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ENOTDIR')) return ''
    throw error
  }
}
