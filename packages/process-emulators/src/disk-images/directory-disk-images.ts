import type { Stats } from 'node:fs'
import { mkdir, readdir, realpath, rename, rm, statfs } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import {
  type DiskImage,
  type DiskImageStore,
  type InspectedImage,
  isDiskImageName,
  Refusal,
} from '@trivium/emulation-core/ports'
import { HIDDEN_DIRECTORY } from '../images/hidden-directory.ts'
import { digestsOf, hashFile } from './content-hashes.ts'
import { readHeader } from './image-header.ts'
import { type ImageToolOptions, imageTool } from './image-tool.ts'
import { knownFacts, type StoredFacts } from './known-facts.ts'
import { findEntry, findFile, makePrivateDirectory, onDisk, openForWriting, syncPath } from './private-file.ts'
import { uploadFiles } from './upload-files.ts'

/** The directory of images, and the space that stays free. */
export interface DirectoryDiskImagesOptions extends ImageToolOptions {
  /**
   * An absolute path: the first of the `imageDirectories` of the emulators. It is created where it is missing. Unfinished
   * uploads are in its directory `.disk-images`, from which no emulator starts an image.
   */
  readonly directory: string
  /** The space that uploads leave free on the disk. @default 1 GiB */
  readonly keepFreeBytes?: number
}

/**
 * Keeps disk images as files of one directory, each for this user only. Files that an operator puts there are listed too,
 * those in subdirectories and links are not. Checking, creating and resizing images needs `qemu-utils` and `util-linux`
 * of Debian, raw uploads do not.
 *
 * @example
 * ```ts
 * import { directoryDiskImages } from '@trivium/process-emulators/disk-images'
 *
 * // For `createEmulation`.
 * export const diskImages = directoryDiskImages({ directory: '/srv/trivium/images' })
 * ```
 */
export function directoryDiskImages(options: DirectoryDiskImagesOptions): DiskImageStore {
  const { keepFreeBytes = 2 ** 30 } = options
  const directory = resolve(options.directory)
  const hidden = join(directory, HIDDEN_DIRECTORY)
  const tool = imageTool(options)
  const uploads = uploadFiles(join(hidden, 'uploads'))
  const facts = knownFacts(join(hidden, 'facts'))
  const unfinished = join(hidden, 'unfinished')
  let realDirectory = directory
  let opening: Promise<void> | undefined

  const pathOf = (name: string) => join(directory, name)

  const open = async (): Promise<void> => {
    await mkdir(directory, { recursive: true, mode: 0o700 })
    realDirectory = await realpath(directory)
    await makePrivateDirectory(hidden)
    await rm(unfinished, { recursive: true, force: true })
    for (const part of ['uploads', 'facts', 'unfinished']) await makePrivateDirectory(join(hidden, part))
    await uploads.sweep()
  }

  const ready = (): Promise<void> => {
    opening ??= open().catch((error) => {
      opening = undefined
      throw error
    })
    return opening
  }

  /** Runs a task on a checked name, once the directories exist. */
  const named = <T>(name: string, task: () => Promise<T>): Promise<T> =>
    onDisk(async () => {
      if (!isDiskImageName(name))
        throw new Refusal('not-allowed', `'${name.slice(0, 200)}' cannot be the name of a disk image.`)
      await ready()
      return task()
    })

  const entryOf = async (name: string, file: Stats): Promise<DiskImage> => ({
    name,
    bytes: file.size,
    modifiedAt: file.mtime,
    facts: await facts.find(name, file),
  })

  const find = async (name: string): Promise<DiskImage | undefined> => {
    const file = await findFile(pathOf(name))
    return file && entryOf(name, file)
  }

  /** Stores the facts of a file. */
  const describe = async (name: string, known: StoredFacts): Promise<InspectedImage> => {
    const file = await findFile(pathOf(name))
    if (!file) throw new Refusal('failed', `Disk image '${name}' was deleted meanwhile.`)
    return { name, bytes: file.size, modifiedAt: file.mtime, facts: await facts.store(name, file, known) }
  }

  const inspect = async (name: string): Promise<InspectedImage | undefined> => {
    const found = await find(name)
    if (!found) return undefined
    if (found.facts) return { ...found, facts: found.facts }
    const information = await tool.read(pathOf(name))
    return describe(name, { ...information, ...digestsOf(await hashFile(pathOf(name))) })
  }

  /** Moves a finished file to its place, where none is. */
  const publish = async (from: string, name: string): Promise<void> => {
    if (await findEntry(pathOf(name))) throw new Refusal('unavailable', `Disk image '${name}' already exists.`)
    await syncPath(from)
    await rename(from, pathOf(name))
    await syncPath(directory)
  }

  const verify = async (path: string, mostVirtualBytes: number): Promise<Omit<StoredFacts, 'sha256' | 'md5'>> => {
    const format = await readHeader(path)
    const information =
      format === 'raw'
        ? { format, virtualBytes: (await findFile(path))?.size ?? 0, backingFile: undefined }
        : await tool.verify(path, format)
    if (information.virtualBytes > mostVirtualBytes)
      throw new Refusal(
        'unusable-image',
        `The disk in the image has ${information.virtualBytes} bytes. This server allows ${mostVirtualBytes}.`,
      )
    return information
  }

  const complete: DiskImageStore['complete'] = (name, { sha256, mostVirtualBytes }) =>
    named(name, async () => {
      const digests = digestsOf(await uploads.hashes(name))
      if (sha256 !== undefined && digests.sha256 !== sha256) {
        await uploads.discard(name)
        return 'digest-differs'
      }
      try {
        const information = await verify(uploads.pathOf(name), mostVirtualBytes)
        await publish(uploads.pathOf(name), name)
        await uploads.forget(name)
        return await describe(name, { ...information, ...digests })
      } catch (error) {
        // The image is not at fault where the operator has to install a program.
        if (error instanceof Refusal && error.reason !== 'missing-program') await uploads.discard(name)
        throw error
      }
    })

  return {
    nameOf(path) {
      const [parent, name] = [dirname(resolve(directory, path)), basename(path)]
      return (parent === directory || parent === realDirectory) && isDiskImageName(name) ? name : undefined
    },
    list: () =>
      onDisk(async () => {
        await ready()
        const entries = await readdir(directory, { withFileTypes: true })
        const names = entries.filter((entry) => entry.isFile() && isDiskImageName(entry.name)).map(({ name }) => name)
        return (await Promise.all(names.map(find))).flatMap((image) => image ?? [])
      }),
    find: (name) => named(name, () => find(name)),
    uploads: () =>
      onDisk(async () => {
        await ready()
        return uploads.list()
      }),
    findUpload: (name) => named(name, () => uploads.find(name)),
    freeBytes: () =>
      onDisk(async () => {
        await ready()
        const { bavail, bsize } = await statfs(directory)
        return Math.max(0, bavail * bsize - keepFreeBytes)
      }),
    begin: (name, totalBytes) => named(name, () => uploads.begin(name, totalBytes)),
    append: (name, part, chunks) => named(name, () => uploads.append(name, part, chunks)),
    complete,
    discard: (name) => named(name, () => uploads.discard(name)),
    inspect: (name) => named(name, () => inspect(name)),
    create: (name, format, virtualBytes) =>
      named(name, async () => {
        const path = join(unfinished, name)
        try {
          await tool.create(path, format, virtualBytes)
          const information = await tool.read(path, format)
          await publish(path, name)
          // The checksum of an empty disk proves nothing, and reading a large one takes long.
          return await describe(name, { ...information, sha256: undefined, md5: undefined })
        } finally {
          await rm(path, { force: true })
        }
      }),
    resize: (name, virtualBytes, { shrink }) =>
      named(name, async () => {
        const known = await inspect(name)
        if (!known) throw new Refusal('failed', `Disk image '${name}' doesn't exist.`)
        // A link would lead to a file that is not an image.
        await (await openForWriting(pathOf(name))).close()
        await facts.forget(name)
        await tool.resize(pathOf(name), known.facts.format, virtualBytes, shrink)
        const information = await tool.read(pathOf(name))
        return describe(name, { ...information, sha256: undefined, md5: undefined })
      }),
    remove: (name) =>
      named(name, async () => {
        if (!(await findFile(pathOf(name)))) return false
        await rm(pathOf(name))
        await facts.forget(name)
        return true
      }),
  }
}
