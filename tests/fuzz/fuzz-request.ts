/** One request, before any transport: everything in it is a text that can be printed and typed in again. */
export interface FuzzRequest {
  /** The operation that it was made from; where its path was changed, another one or none may get it. */
  readonly operation: string
  readonly method: string
  /** As it goes over the wire, with the query. One character is one byte. */
  readonly target: string
  readonly headers: readonly (readonly [name: string, value: string])[]
  /** One character is one byte. */
  readonly body: string | undefined
  /** What follows at once where a WebSocket is asked for. One character is one byte. */
  readonly frames: string | undefined
}

export const toBytes = (text: string): Uint8Array<ArrayBuffer> => Uint8Array.from(Buffer.from(text, 'latin1'))

export const fromUtf8 = (text: string): string => Buffer.from(text, 'utf8').toString('latin1')
