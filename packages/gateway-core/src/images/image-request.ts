/** What is asked of one upstream. */
export interface ImageRequest {
  /** The upstream's own model id. */
  readonly model: string
  readonly prompt: string
  /** How many pictures, at least 1. */
  readonly count: number
  /** In pixels; absent where the upstream shall choose. */
  readonly size?: { readonly width: number; readonly height: number }
  readonly user?: string
  /** What else the client sent, in OpenAI's names, for upstreams that know it. */
  readonly extra: Readonly<Record<string, unknown>>
}

/** The pictures of one answer, in the order of the upstream. */
export interface GeneratedImages {
  readonly images: readonly GeneratedImage[]
  readonly usage?: { readonly inputTokens: number; readonly outputTokens: number }
}

/**
 * Always the picture itself. A provider whose upstream answers with addresses fetches them, bounded in size, and only
 * from origins that its host named.
 */
export interface GeneratedImage {
  readonly bytes: Uint8Array
  readonly contentType: ImageContentType
  readonly revisedPrompt?: string
}

/** By the first bytes of an image, not by what its upstream says. */
export type ImageContentType = 'image/png' | 'image/jpeg' | 'image/webp'
