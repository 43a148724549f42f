import { type ProviderContext, ProviderFailure } from '@trivium/gateway-core/ports'
import { createUrlCalls, discard, isSuccess, readAnswer } from '@trivium/provider-kit'

/**
 * Fetches an image by the URL in an upstream's answer. Rejects with `ProviderFailure` if it is not allowed or fails.
 */
export type ImageDownload = (url: string, context: ProviderContext) => Promise<Uint8Array>

export interface ImageDownloadOptions {
  /** Allowed origins, as `https://host[:port]`. URLs of other origins are not fetched. */
  readonly origins: readonly string[]
  readonly maxBytes: number
}

/** Creates a download that sends no credentials and follows no redirects. */
export function imageDownload({ origins, maxBytes }: ImageDownloadOptions): ImageDownload & {
  readonly close: () => Promise<void>
} {
  const allowed = new Set(origins.map((origin) => new URL(origin).origin))
  const calls = createUrlCalls({ maxAnswerBytes: maxBytes })
  const download: ImageDownload = async (address, context) => {
    const url = URL.parse(address)
    if (!url || !allowed.has(url.origin)) throw unreadable()
    const answer = await calls.call({ url, headers: { accept: 'image/*' } }, context)
    if (isSuccess(answer)) return readAnswer(answer)
    discard(answer)
    throw unreadable()
  }
  return Object.assign(download, { close: () => calls.close() })
}

const unreadable = () =>
  new ProviderFailure({
    type: 'malformed',
    message: 'The upstream answered with the URL of an image that the gateway cannot or must not fetch.',
  })
