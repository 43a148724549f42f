import type { Reply } from './exchange.ts'

/** The content type of every JSON reply that does not set its own. */
export const JSON_TYPE = 'application/json'

const encoder = new TextEncoder()

/** The header that makes browsers use the declared content type of an answer, and guess no other. */
export const noSniffing = { 'x-content-type-options': 'nosniff' } as const

/**
 * Returns the reply to HEAD: the headers of the same GET, with its length where that is known. Closes a stream without
 * reading it.
 */
export function withoutBody(reply: Reply): Reply {
  const { status, headers } = reply
  switch (reply.kind) {
    case 'empty':
      return reply
    case 'json': {
      const text: string | undefined = JSON.stringify(reply.value)
      if (text === undefined) return { kind: 'empty', status, headers }
      return { kind: 'empty', status, headers: { 'content-type': JSON_TYPE, ...headers, ...lengthOf(text) } }
    }
    case 'bytes':
      return { kind: 'empty', status, headers: { ...headers, ...lengthOf(reply.value) } }
    default:
      releaseReply(reply)
      return { kind: 'empty', status, headers }
  }
}

/** Closes the source of a reply that is not written. */
export function releaseReply(reply: Reply): void {
  if (reply.kind === 'relay') reply.cancel()
  if (reply.kind === 'stream') closeIterator(reply.chunks[Symbol.asyncIterator]())
}

/** Ends an iterator early, and ignores a rejection. */
export function closeIterator(iterator: AsyncIterator<unknown>): void {
  iterator.return?.()?.then(undefined, () => undefined)
}

const lengthOf = (body: string | Uint8Array) => ({
  'content-length': String(typeof body === 'string' ? encoder.encode(body).byteLength : body.byteLength),
})
