/** An answer as it reached the client. */
export interface FuzzReply {
  readonly status: number
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** One character is one byte. */
  readonly body: string
  /** More would have come: the stream is an endless one. */
  readonly cut: boolean
}
