/** One file of the page. */
export interface Asset {
  readonly contentType: string
  /** Whether its name has a hash of its content, so that browsers may cache it permanently. */
  readonly immutable: boolean
  /** The content without compression. */
  readonly plain: Uint8Array
  /** Compressed by the build; absent where compression gains nothing. */
  readonly brotli?: Uint8Array
  /** As `brotli`. */
  readonly gzip?: Uint8Array
}

/** The files of the page by their path, with `index.html` and `quotas.html`. */
export type Assets = ReadonlyMap<string, Asset>

export interface AssetsOptions {
  /** Where a page that has to be built is kept. @default `node_modules/.cache/console` of the package */
  readonly buildDirectory?: string
  /** Ends a build. */
  readonly signal?: AbortSignal
  /** Receives the error when the page could not be built or read. */
  readonly onFault: (error: unknown) => void
}

/**
 * Returns the files of the page, or that they are being built or could not be built. Waits while existing files are
 * read, but not for a build.
 */
export type AssetsState = () => Promise<Assets | 'building' | 'failed'>
