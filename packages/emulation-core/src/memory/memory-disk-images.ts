import { joinBytes } from '../join-bytes.ts'
import { type DiskImageStore, type InspectedImage, isDiskImageName, Refusal } from '../ports.ts'

/** The location and the clock of disk images in memory. */
export interface MemoryDiskImagesOptions {
  /** The directory of the paths that `nameOf` accepts. No file is written there. @default '/images' */
  readonly location?: string
  /** The clock of modification times. @default the system's clock */
  readonly now?: () => Date
}

interface Upload {
  readonly totalBytes: number
  content: Uint8Array<ArrayBuffer>
  modifiedAt: Date
}

/**
 * Stores disk images in memory, for tests of hosts. Contents are not parsed: each image is `raw`, and disks of other
 * formats are refused. No MD5 is computed.
 */
export function memoryDiskImages({
  location = '/images',
  now = () => new Date(),
}: MemoryDiskImagesOptions = {}): DiskImageStore {
  const images = new Map<string, InspectedImage & { readonly content: Uint8Array<ArrayBuffer> }>()
  const uploads = new Map<string, Upload>()

  const put = (name: string, content: Uint8Array<ArrayBuffer>, sha256?: string): InspectedImage => {
    const bytes = content.length
    const facts = {
      format: 'raw',
      virtualBytes: bytes,
      allocatedBytes: bytes,
      backingFile: undefined,
      sha256,
      md5: undefined,
    }
    const image = { name, bytes, modifiedAt: now(), facts }
    images.set(name, { ...image, content })
    return image
  }

  const find = (name: string): InspectedImage | undefined => {
    const found = images.get(checked(name))
    return found && { name, bytes: found.bytes, modifiedAt: found.modifiedAt, facts: found.facts }
  }

  const findUpload = (name: string) => {
    const found = uploads.get(checked(name))
    return (
      found && { name, receivedBytes: found.content.length, totalBytes: found.totalBytes, modifiedAt: found.modifiedAt }
    )
  }

  return {
    nameOf(path) {
      const name = path.startsWith(`${location}/`) ? path.slice(location.length + 1) : path
      return isDiskImageName(name) ? name : undefined
    },
    list: async () => [...images.keys()].flatMap((name) => find(name) ?? []),
    find: async (name) => find(name),
    uploads: async () => [...uploads.keys()].flatMap((name) => findUpload(name) ?? []),
    findUpload: async (name) => findUpload(name),
    freeBytes: async () => undefined,
    begin: async (name, totalBytes) => {
      uploads.set(checked(name), { totalBytes, content: new Uint8Array(), modifiedAt: now() })
    },
    append: async (name, part, chunks) => {
      const upload = uploads.get(checked(name))
      if (!upload) throw new Refusal('failed', `No upload of '${name}' has begun.`)
      const arrived: Uint8Array[] = []
      let bytes = 0
      try {
        for await (const chunk of chunks) {
          bytes += chunk.length
          if (bytes > part.bytes) return 'length-differs'
          arrived.push(chunk)
        }
      } catch (error) {
        if (part.sha256 === undefined) upload.content = joinBytes([upload.content, ...arrived])
        throw error
      }
      if (bytes !== part.bytes) return 'length-differs'
      if (part.sha256 !== undefined && (await digestOf(joinBytes(arrived))) !== part.sha256) return 'digest-differs'
      upload.content = joinBytes([upload.content, ...arrived])
      upload.modifiedAt = now()
      return 'appended'
    },
    complete: async (name, { sha256, mostVirtualBytes }) => {
      const content = uploads.get(checked(name))?.content ?? new Uint8Array()
      uploads.delete(name)
      if (content.length > mostVirtualBytes) throw tooLarge(name)
      if (sha256 !== undefined && (await digestOf(content)) !== sha256) return 'digest-differs'
      return put(name, content, await digestOf(content))
    },
    discard: async (name) => uploads.delete(checked(name)),
    inspect: async (name) => find(name),
    create: async (name, format, virtualBytes) => {
      if (images.has(checked(name))) throw new Refusal('unavailable', `Disk image '${name}' already exists.`)
      if (format !== 'raw') throw new Refusal('unsupported', `Disks in memory cannot have the format '${format}'.`)
      return put(name, new Uint8Array(virtualBytes))
    },
    resize: async (name, virtualBytes, { shrink }) => {
      const found = images.get(checked(name))
      if (!found || (virtualBytes < found.bytes && !shrink))
        throw new Refusal('failed', `Disk image '${name}' could not be resized.`)
      const content = new Uint8Array(virtualBytes)
      content.set(found.content.subarray(0, virtualBytes))
      return put(name, content)
    },
    remove: async (name) => images.delete(checked(name)),
  }
}

async function digestOf(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

function checked(name: string): string {
  if (!isDiskImageName(name))
    throw new Refusal('not-allowed', `'${name.slice(0, 200)}' cannot be the name of a disk image.`)
  return name
}

const tooLarge = (name: string) =>
  new Refusal('unusable-image', `The disk in '${name}' is larger than this server allows.`)
