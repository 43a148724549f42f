import type { DiskImage, DiskImageFacts, DiskImageFormat, DiskImageUpload } from './disk-image.ts'

/**
 * Keeps disk images and unfinished uploads. The caller serialises the calls that change one name, and has checked the
 * name. Every method rejects with a `Refusal` for a name that is not one of a disk image, and for an image that the store
 * refuses, and with a `StoreFailure` where the disk fails.
 */
export interface DiskImageStore {
  /**
   * Returns the name of the image that a path leads to, as an instance names it: absolute, or relative to the directory of
   * images. `undefined` for any other text. Reads no file.
   */
  nameOf(path: string): string | undefined
  /** Lists the complete images, in no order. Computes nothing: facts that are not known are `undefined`. */
  list(): Promise<readonly DiskImage[]>
  /** Finds a complete image, as `list` has it. */
  find(name: string): Promise<DiskImage | undefined>
  /** Lists the unfinished uploads, in no order. */
  uploads(): Promise<readonly DiskImageUpload[]>
  /** Finds an unfinished upload. */
  findUpload(name: string): Promise<DiskImageUpload | undefined>
  /** The bytes that new images may take, `undefined` where that is not limited. */
  freeBytes(): Promise<number | undefined>
  /** Starts an upload without bytes. An unfinished one of the same name is replaced. */
  begin(name: string, totalBytes: number): Promise<void>
  /**
   * Appends a part to an upload. Where the chunks throw, rejects with the same error and keeps what has arrived, unless
   * the part has a digest. Any other outcome than `appended` leaves the upload as it was. What is kept is on the disk.
   */
  append(name: string, part: UploadedPart, chunks: AsyncIterable<Uint8Array>): Promise<AppendOutcome>
  /**
   * Turns an upload that has all of its bytes into an image, in one step. It is checked first: its digest, its format, its
   * size, and that it refers to no other file. Where it is refused, or its digest differs, the upload is removed.
   */
  complete(name: string, expected: ExpectedImage): Promise<CompleteOutcome>
  /** Removes an unfinished upload. @returns whether it existed */
  discard(name: string): Promise<boolean>
  /** Reads the facts of an image, and computes those that are not known. `undefined` where it is absent. */
  inspect(name: string): Promise<InspectedImage | undefined>
  /** Creates an empty disk. An image of the same name is never replaced: rejects with a `Refusal`. */
  create(name: string, format: DiskImageFormat, virtualBytes: number): Promise<InspectedImage>
  /**
   * Changes the size of a disk. Rejects with a `Refusal` where the format does not support that.
   *
   * @param options `shrink` allows a smaller size, which deletes what is at the end of the disk
   */
  resize(name: string, virtualBytes: number, options: { readonly shrink: boolean }): Promise<InspectedImage>
  /** Deletes an image. @returns whether it existed */
  remove(name: string): Promise<boolean>
}

/** A part of an upload. Its first byte follows the last that was received. */
export interface UploadedPart {
  readonly bytes: number
  /** The SHA-256 of the part, in lower case hexadecimal digits. @default not checked */
  readonly sha256?: string
}

/** What an image must be to be kept. */
export interface ExpectedImage {
  /** The SHA-256 of the whole, in lower case hexadecimal digits. @default not checked */
  readonly sha256?: string
  /** The most bytes of the disk that a machine sees. */
  readonly mostVirtualBytes: number
}

/** An image with its facts. */
export interface InspectedImage extends DiskImage {
  readonly facts: DiskImageFacts
}

/** `length-differs` for more or fewer chunks than the part has bytes, `disk-full` where no space is left. */
export type AppendOutcome = 'appended' | 'length-differs' | 'digest-differs' | 'disk-full'

/** An image, or the reason why the upload was removed. */
export type CompleteOutcome = InspectedImage | 'digest-differs'
