import { refusalFrom } from '../../providers/error-body.ts'
import type { ProviderError } from '../../providers/provider-error.ts'
import { EventFramer } from './event-framer.ts'
import { arePlainChunks, readEvent } from './read-event.ts'
import { isUsageOnly, StreamAccount } from './stream-account.ts'
import { eventTooLarge, notACompletion } from './stream-failures.ts'

export interface StreamReaderOptions {
  /** Removes the chunk that `include_usage` adds, because the client did not request it. */
  readonly stripUsage: boolean
  readonly maxEventBytes: number
  /** Replaced by `***` in error events. */
  readonly secrets: readonly string[]
  /** Receives the output for the client, in whole events. */
  readonly write: (bytes: Uint8Array | string) => void
}

const decoder = new TextDecoder()

/** Reads an upstream's event stream and passes it to the client, unchanged but for the options. */
export class StreamReader {
  readonly account = new StreamAccount()
  /** The first event has arrived and is not an error. */
  opened = false
  /** `[DONE]` has arrived. Later bytes are dropped. */
  done = false
  /** Why the stream cannot continue. Before the first event this includes the upstream's own error. */
  failure: ProviderError | undefined
  /** An error event inside the stream. The client receives it too. */
  upstreamError: ProviderError | undefined
  readonly #framer = new EventFramer()
  readonly #options: StreamReaderOptions

  constructor(options: StreamReaderOptions) {
    this.#options = options
  }

  push(chunk: Uint8Array): void {
    if (this.done || this.failure) return
    const block = this.#framer.push(chunk)
    if (this.#framer.held > this.#options.maxEventBytes) this.failure = eventTooLarge()
    if (!block) return
    const { bytes, ends } = block
    if (this.opened && arePlainChunks(decoder.decode(bytes))) {
      this.account.pieces += ends.length
      this.#pass(bytes, 0, bytes.length)
      return
    }
    let start = 0
    let kept = 0
    for (const end of ends) {
      const text = decoder.decode(bytes.subarray(start, end))
      const output = this.#read(text)
      if (this.failure) return
      if (output !== text) {
        this.#pass(bytes, kept, start)
        if (output !== '') this.#options.write(output)
        kept = end
      }
      start = end
      if (this.done) break
    }
    this.#pass(bytes, kept, start)
  }

  /** Handles the end of the upstream. Without a last blank line, its last event may be whole or cut. */
  end(): void {
    if (this.done || this.failure) return
    const rest = this.#framer.rest()
    const text = `${decoder.decode(rest)}\n\n`
    const event = readEvent(text, true)
    if (event.type === 'unreadable') return
    const output = this.#read(text)
    if (output === text) {
      this.#pass(rest, 0, rest.length)
      if (event.type !== 'nothing') this.#options.write('\n\n')
    } else if (output !== '') this.#options.write(output)
  }

  #pass(bytes: Uint8Array, start: number, end: number): void {
    if (start === end) return
    this.#options.write(end - start === bytes.length ? bytes : bytes.subarray(start, end))
  }

  /** @returns what the client receives for this event: its text, a replacement, or `''` */
  #read(text: string): string {
    const event = readEvent(text, !this.opened)
    switch (event.type) {
      case 'nothing':
        return text
      case 'error':
        return this.#readError(text, event.value)
      case 'unreadable':
        if (!this.opened) this.failure = notACompletion()
        return text
      case 'done':
        this.done = true
        this.opened = true
        return text
      case 'chunk':
        this.opened = true
        this.account.read(event.value)
        return this.#options.stripUsage && isUsageOnly(event.value) ? '' : text
    }
  }

  #readError(text: string, value: unknown): string {
    const output = this.#options.secrets.reduce((rest, secret) => rest.replaceAll(secret, '***'), text)
    const event = output === text ? undefined : readEvent(output, true)
    const error = refusalFrom(event?.type === 'error' ? event.value : value, !this.opened)
    if (this.opened) this.upstreamError = error
    else this.failure = error
    return output
  }
}
