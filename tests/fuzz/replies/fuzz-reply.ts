/** An answer as the client received it. */
export interface FuzzReply {
  readonly status: number
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** One character is one byte. */
  readonly body: string
  /** Whether the client stopped reading, because the stream has no end. */
  readonly cut: boolean
}
