import { type ProviderContext, ProviderFailure } from '@trivium/gateway-core/ports'
import { createUrlCalls, discard, isGood, readAnswer } from '@trivium/provider-kit'

/** Fetches a picture that the upstream answered as an address. @throws ProviderFailure */
export type ImageDownload = (url: string, context: ProviderContext) => Promise<Uint8Array>

export interface ImageDownloadOptions {
  /** `https://host[:port]`; addresses of any other origin are not fetched. */
  readonly origins: readonly string[]
  readonly maxBytes: number
}

/** Sends no credential, follows no redirect. */
export function imageDownload({ origins, maxBytes }: ImageDownloadOptions): ImageDownload & {
  readonly close: () => Promise<void>
} {
  const allowed = new Set(origins.map((origin) => new URL(origin).origin))
  const calls = createUrlCalls({ maxAnswerBytes: maxBytes })
  const download: ImageDownload = async (address, context) => {
    const url = URL.parse(address)
    if (!url || !allowed.has(url.origin)) throw unreadable()
    const answer = await calls.call({ url, headers: { accept: 'image/*' } }, context)
    if (isGood(answer)) return readAnswer(answer)
    discard(answer)
    throw unreadable()
  }
  return Object.assign(download, { close: () => calls.close() })
}

const unreadable = () =>
  new ProviderFailure({
    type: 'malformed',
    message: 'The upstream answered with the address of a picture that the gateway may not or can not fetch.',
  })
