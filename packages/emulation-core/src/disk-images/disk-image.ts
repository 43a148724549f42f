/** The formats of new disks, and of uploaded ones. An image of any other content is `raw`: ISO files and kernels, too. */
export const diskImageFormats = ['qcow2', 'raw', 'vdi', 'vhdx', 'vmdk', 'vpc'] as const

/** The format of a disk image, by the names of `qemu-img`. */
export type DiskImageFormat = (typeof diskImageFormats)[number]

/** A complete disk image. */
export interface DiskImage {
  /** Identifies the image: a plain name in the directory of images. */
  readonly name: string
  /** The size of its file. */
  readonly bytes: number
  readonly modifiedAt: Date
  /** `undefined` for a file that was not uploaded or created here, until it is inspected. */
  readonly facts: DiskImageFacts | undefined
}

/** What the contents of an image say. */
export interface DiskImageFacts {
  /** A name of `qemu-img`, which can be one that cannot be uploaded. */
  readonly format: string
  /** The size of the disk that a machine sees. */
  readonly virtualBytes: number
  /** The space that the file takes on the disk of the host. A sparse file takes less than its size. */
  readonly allocatedBytes: number
  /** The file that the image is based on, as its header names it. Only files that the host put there have one. */
  readonly backingFile: string | undefined
  /** In lower case hexadecimal digits. `undefined` for a disk that was created or resized here. */
  readonly sha256: string | undefined
  /** As `sha256`, for appliance files. Also `undefined` where the store computes none. */
  readonly md5: string | undefined
}

/** An upload that has not all of its bytes yet. */
export interface DiskImageUpload {
  readonly name: string
  readonly receivedBytes: number
  readonly totalBytes: number
  /** The time of the last byte. */
  readonly modifiedAt: Date
}
