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
