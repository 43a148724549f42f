/** One file of the page. */
export interface Asset {
  readonly contentType: string
  /** Its name has a hash of its content: it never changes. */
  readonly immutable: boolean
  readonly plain: Uint8Array
  /** Compressed beforehand; absent for what does not shrink. */
  readonly brotli?: Uint8Array
  readonly gzip?: Uint8Array
}

/** The page's files by their path, `index.html` among them. */
export type Assets = ReadonlyMap<string, Asset>

export interface AssetsOptions {
  /** Where a page that has to be built is kept. Absent: with the package's own caches. */
  readonly buildDirectory?: string
  /** Ends a build. */
  readonly signal?: AbortSignal
  /** Receives why the page could not be built or read. */
  readonly onFault: (error: unknown) => void
}

/** The page's files; or that they are being built, or could not be. Waits for files that are there to be read, and not for a build. */
export type AssetsState = () => Promise<Assets | 'building' | 'failed'>
