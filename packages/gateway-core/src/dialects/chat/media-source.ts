import type { MediaSource } from '../conversation/conversation-parts.ts'

const DATA_URL = /^data:([\w.+-]+\/[\w.+-]+)(?:;[\w-]+=[^;,]*)*;base64,/i
const WEB_URL = /^https?:\/\//i

/** The longest head of a `data:` URL. */
const MAX_HEAD = 256

/** Reads a `data:` URL with base64, or an address. */
export function mediaSourceOf(url: string): MediaSource | undefined {
  const [head, mediaType] = DATA_URL.exec(url.slice(0, MAX_HEAD)) ?? []
  if (head !== undefined && mediaType !== undefined) {
    return { type: 'base64', mediaType: mediaType.toLowerCase(), data: url.slice(head.length) }
  }
  return WEB_URL.test(url.slice(0, 8)) ? { type: 'url', url } : undefined
}

/** Returns the URL of an image or a document; `undefined` for an id, which only its own upstream knows. */
export function urlOf(source: MediaSource): string | undefined {
  if (source.type === 'base64') return `data:${source.mediaType};base64,${source.data}`
  return source.type === 'url' ? source.url : undefined
}
