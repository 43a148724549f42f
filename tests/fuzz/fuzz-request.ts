/** One request, independent of the transport. All its parts are texts that can be printed and used again. */
export interface FuzzRequest {
  /** The operation that it was made from. With a changed path it can reach another operation, or none. */
  readonly operation: string
  readonly method: string
  /** The path as it is sent, with the query. One character is one byte. */
  readonly target: string
  readonly headers: readonly (readonly [name: string, value: string])[]
  /** One character is one byte. */
  readonly body: string | undefined
  /** Bytes that follow directly after the request of a WebSocket. One character is one byte. */
  readonly frames: string | undefined
}

export const toBytes = (text: string): Uint8Array<ArrayBuffer> => Uint8Array.from(Buffer.from(text, 'latin1'))

export const fromUtf8 = (text: string): string => Buffer.from(text, 'utf8').toString('latin1')
