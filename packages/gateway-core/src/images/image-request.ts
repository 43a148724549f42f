/** An image request to one upstream. */
export interface ImageRequest {
  /** The upstream's own model id. */
  readonly model: string
  readonly prompt: string
  /** The number of images, at least 1. */
  readonly count: number
  /** In pixels. If absent, the upstream chooses. */
  readonly size?: { readonly width: number; readonly height: number }
  /** The client's own id of its end user. */
  readonly user?: string
  /** The other fields of the client, in OpenAI's names, for upstreams that support them. */
  readonly extra: Readonly<Record<string, unknown>>
}

/** The images of one answer, in the order of the upstream. */
export interface GeneratedImages {
  readonly images: readonly GeneratedImage[]
  /** Tokens as the upstream counts them. Absent where it reports none. Implausible counts are ignored. */
  readonly usage?: ImageUsage
  /** The parameters that the upstream used, where it reports them. */
  readonly report?: ImageReport
}

/** The tokens of an answer with images. */
export interface ImageUsage {
  readonly inputTokens: number
  readonly outputTokens: number
  /** The parts of the input, where the upstream reports them. */
  readonly inputDetails?: { readonly textTokens: number; readonly imageTokens: number }
}

/** How an upstream made its images, in OpenAI's values. */
export interface ImageReport {
  readonly background?: string
  readonly outputFormat?: string
  readonly quality?: string
  readonly size?: string
}

/**
 * An image with its bytes. A provider whose upstream answers with URLs fetches them, with a limit on their size, and only
 * from origins that the host configured.
 */
export interface GeneratedImage {
  readonly bytes: Uint8Array
  readonly contentType: ImageContentType
  /** The prompt that the upstream used, where it changed the client's. */
  readonly revisedPrompt?: string
}

/** The type of an image by its first bytes, not by the upstream's headers. */
export type ImageContentType = 'image/png' | 'image/jpeg' | 'image/webp'
