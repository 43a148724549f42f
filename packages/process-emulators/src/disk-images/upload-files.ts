import { createHash } from 'node:crypto'
import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type AppendOutcome, type DiskImageUpload, Refusal, type UploadedPart } from '@trivium/emulation-core/ports'
import { parseRecord } from '../qemu/json-record.ts'
import { type ContentHashes, copyHashes, hashFile, noContent } from './content-hashes.ts'
import { createPrivateFile, findFile, isFull, openForWriting, replaceFile } from './private-file.ts'

/** Unfinished uploads: `NAME.part` has what was received, and `NAME.json` how long it becomes. */
export interface UploadFiles {
  /** The file with the bytes of an upload. */
  pathOf(name: string): string
  find(name: string): Promise<DiskImageUpload | undefined>
  list(): Promise<readonly DiskImageUpload[]>
  begin(name: string, totalBytes: number): Promise<void>
  append(name: string, part: UploadedPart, chunks: AsyncIterable<Uint8Array>): Promise<AppendOutcome>
  /** The checksums of what was received. They are read from the file after a start of the server. */
  hashes(name: string): Promise<ContentHashes>
  discard(name: string): Promise<boolean>
  /** Forgets an upload whose file has become an image. */
  forget(name: string): Promise<void>
  /** Removes what a crash has left and no upload needs. */
  sweep(): Promise<void>
}

const PART = '.part'
const RECORD = '.json'

export function uploadFiles(directory: string): UploadFiles {
  const hashesByName = new Map<string, ContentHashes>()
  const pathOf = (name: string) => join(directory, `${name}${PART}`)
  const recordOf = (name: string) => join(directory, `${name}${RECORD}`)

  const find = async (name: string): Promise<DiskImageUpload | undefined> => {
    const file = await findFile(pathOf(name))
    const totalBytes = file && parseRecord(await readFile(recordOf(name), 'utf8').catch(() => ''))?.totalBytes
    if (!file || typeof totalBytes !== 'number') return undefined
    return { name, receivedBytes: file.size, totalBytes, modifiedAt: file.mtime }
  }

  const hashes = async (name: string, bytes: number): Promise<ContentHashes> => {
    const known = hashesByName.get(name)
    if (known?.bytes === bytes) return known
    const read = bytes === 0 ? noContent() : await hashFile(pathOf(name))
    hashesByName.set(name, read)
    return read
  }

  const forget = async (name: string) => {
    hashesByName.delete(name)
    await rm(recordOf(name), { force: true })
  }

  const discard = async (name: string) => {
    const existed = (await findFile(pathOf(name))) !== undefined
    await rm(pathOf(name), { force: true })
    await forget(name)
    return existed
  }

  const append = async (
    name: string,
    part: UploadedPart,
    chunks: AsyncIterable<Uint8Array>,
  ): Promise<AppendOutcome> => {
    const upload = await find(name)
    if (!upload) throw new Refusal('failed', `No upload of '${name}' has begun.`)
    const start = upload.receivedBytes
    const before = await hashes(name, start)
    const { sha256, md5 } = copyHashes(before)
    const partHash = createHash('sha256')
    const file = await openForWriting(pathOf(name))
    let bytes = 0
    const revert = async <Reason>(reason: Reason): Promise<Reason> => {
      await file.truncate(start)
      return reason
    }
    const keep = async () => {
      await file.datasync()
      hashesByName.set(name, { bytes: start + bytes, sha256, md5 })
    }
    const write = async (chunk: Uint8Array) => {
      for (let written = 0; written < chunk.length; ) {
        const { bytesWritten } = await file.write(chunk, written, chunk.length - written, start + bytes + written)
        written += bytesWritten
      }
      bytes += chunk.length
      for (const hash of part.sha256 === undefined ? [sha256, md5] : [sha256, md5, partHash]) hash.update(chunk)
    }
    let isWriting = false
    try {
      for await (const chunk of chunks) {
        if (bytes + chunk.length > part.bytes) return await revert('length-differs')
        isWriting = true
        await write(chunk)
        isWriting = false
      }
      if (bytes !== part.bytes) return await revert('length-differs')
      if (part.sha256 !== undefined && partHash.digest('hex') !== part.sha256) return await revert('digest-differs')
      await keep()
      return 'appended'
    } catch (error) {
      if (isFull(error)) return await revert('disk-full')
      // What the file system has refused is not kept, nor what its digest cannot prove.
      if (isWriting || part.sha256 !== undefined) await revert(undefined)
      else await keep()
      throw error
    } finally {
      await file.close()
    }
  }

  return {
    pathOf,
    find,
    list: async () => {
      const names = (await readdir(directory)).filter((file) => file.endsWith(PART))
      const found = await Promise.all(names.map((file) => find(file.slice(0, -PART.length))))
      return found.flatMap((upload) => upload ?? [])
    },
    begin: async (name, totalBytes) => {
      await discard(name)
      await createPrivateFile(pathOf(name))
      await replaceFile(recordOf(name), JSON.stringify({ totalBytes }))
    },
    append,
    hashes: async (name) => hashes(name, (await find(name))?.receivedBytes ?? 0),
    discard,
    forget,
    sweep: async () => {
      const files = new Set(await readdir(directory))
      const isWhole = (file: string, own: string, other: string) =>
        file.endsWith(own) && files.has(`${file.slice(0, -own.length)}${other}`)
      for (const file of files) {
        if (isWhole(file, PART, RECORD) || isWhole(file, RECORD, PART)) continue
        await rm(join(directory, file), { force: true, recursive: true })
      }
    },
  }
}
