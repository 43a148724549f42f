import { type ProviderContext, ProviderFailure } from '@trivium/gateway-core/ports'
import { Agent } from 'undici'
import { readAnswer } from '../transport/read-answer.ts'
import { discard, isGood } from '../transport/upstream.ts'
import { callUpstream } from '../transport/upstream-call.ts'

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
  const agent = new Agent({ allowH2: false })
  const download: ImageDownload = async (address, { signal, connectTimeoutMs }) => {
    const { origin, pathname, search } = URL.canParse(address) ? new URL(address) : { origin: '' }
    if (pathname === undefined || !allowed.has(origin)) throw unreadable()
    const answer = await callUpstream(
      agent,
      { origin, path: pathname + search, method: 'GET', headers: { accept: 'image/*', 'accept-encoding': 'identity' } },
      { signal, connectTimeoutMs, maxAnswerBytes: maxBytes },
    )
    if (isGood(answer)) return readAnswer(answer)
    discard(answer)
    throw unreadable()
  }
  return Object.assign(download, { close: () => agent.destroy() })
}

const unreadable = () =>
  new ProviderFailure({
    type: 'malformed',
    message: 'The upstream answered with the address of a picture that the gateway may not or can not fetch.',
  })
