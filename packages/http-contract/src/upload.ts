import type { RequestHeaders } from './exchange.ts'

/** A request body that a handler reads while it arrives. No part of it is parsed or collected. */
export interface Upload {
  /** The `content-type` as it was sent. */
  readonly contentType: string | undefined
  /** The announced number of bytes; `undefined` where the client announces none. */
  readonly length: number | undefined
  /**
   * The bytes as they arrive, to read once. The client is paused while no chunk is requested. Reading throws
   * `BodyTooLarge` at the first byte beyond the limit of the operation, and `ClientDisconnected` if the client
   * disconnects before the end. What is left when the reading ends early is discarded.
   */
  readonly chunks: AsyncIterable<Uint8Array>
}

/** An upload that ends when its handler has answered. */
export class OpenUpload implements Upload {
  readonly contentType: string | undefined
  readonly length: number | undefined
  readonly chunks: AsyncIterable<Uint8Array>
  #iterator: AsyncIterator<Uint8Array> | undefined

  constructor(headers: RequestHeaders, chunks: AsyncIterable<Uint8Array>) {
    const { 'content-type': type, 'content-length': length } = headers
    this.contentType = typeof type === 'string' ? type : undefined
    this.length = typeof length === 'string' ? Number(length) : undefined
    this.chunks = {
      [Symbol.asyncIterator]: () => {
        this.#iterator ??= chunks[Symbol.asyncIterator]()
        return this.#iterator
      },
    }
  }

  /** Discards what has not been read. */
  release(): void {
    // A client that has disconnected leaves nothing to discard.
    this.#iterator?.return?.().catch(() => undefined)
  }
}

/** Bytes that are in memory, as chunks. */
export async function* inOneChunk(bytes: Uint8Array): AsyncGenerator<Uint8Array, void> {
  if (bytes.byteLength > 0) yield bytes
}
