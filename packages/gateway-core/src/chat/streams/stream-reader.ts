import type { StreamEvent, StreamProtocol } from '../../dialects/streams/stream-protocol.ts'
import { refusalFrom } from '../../providers/error-body.ts'
import type { ProviderError } from '../../providers/provider-error.ts'
import { EventFramer } from './event-framer.ts'
import { maskedEvent } from './masked-event.ts'
import { eventTooLarge, notACompletion } from './stream-failures.ts'

export interface StreamReaderOptions {
  readonly protocol: StreamProtocol
  readonly maxEventBytes: number
  /** Replaced by `***` in error events. */
  readonly secrets: readonly string[]
  /** Receives the output for the client, in whole events. */
  readonly write: (bytes: Uint8Array | string) => void
}

const decoder = new TextDecoder()

/** Reads an upstream's event stream and passes it to the client, unchanged but for the options. */
export class StreamReader {
  /** The first event has arrived and is not an error. */
  opened = false
  /** The last event, such as `[DONE]`, has arrived. Later bytes are dropped. */
  done = false
  /** Why the stream cannot continue. Before the first event this includes the upstream's own error. */
  failure: ProviderError | undefined
  /** An error event inside the stream. The client receives it too. */
  upstreamError: ProviderError | undefined
  readonly #framer = new EventFramer()
  readonly #options: StreamReaderOptions
  readonly #protocol: StreamProtocol

  constructor(options: StreamReaderOptions) {
    this.#options = options
    this.#protocol = options.protocol
  }

  push(chunk: Uint8Array): void {
    if (this.done || this.failure) return
    const block = this.#framer.push(chunk)
    if (this.#framer.held > this.#options.maxEventBytes) this.failure = eventTooLarge()
    if (!block) return
    const { bytes, ends } = block
    const all = decoder.decode(bytes)
    if (this.opened && this.#passPlain(all, ends.length)) {
      this.#pass(bytes, 0, bytes.length)
      return
    }
    // Then places in the text are those in the bytes.
    const isAscii = all.length === bytes.length
    let start = 0
    let kept = 0
    for (const end of ends) {
      const text = isAscii ? all.slice(start, end) : decoder.decode(bytes.subarray(start, end))
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
    const event = this.#protocol.read(text, true)
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
    const event = this.#protocol.read(text, !this.opened)
    switch (event.type) {
      case 'nothing':
        return text
      case 'error':
        return this.#readError(text, event)
      case 'unreadable':
        if (!this.opened) this.failure = notACompletion()
        return text
      case 'done':
        this.done = true
        this.opened = true
        if (event.value === undefined) return text
        this.#protocol.account.read(event.value)
        return this.#protocol.shown?.(event.value, text) ?? text
      case 'chunk':
        this.opened = true
        if (event.value === undefined) this.#protocol.account.pass(text, 1)
        else this.#protocol.account.read(event.value)
        if (this.#protocol.hides(event.value)) return ''
        return event.value === undefined ? text : (this.#protocol.shown?.(event.value, text) ?? text)
    }
  }

  #readError(text: string, { value, last, chunk }: Extract<StreamEvent, { type: 'error' }>): string {
    const output = maskedEvent(text, this.#options.secrets)
    const event = output === text ? undefined : this.#protocol.read(output, true)
    const error = refusalFrom(event?.type === 'error' ? event.value : value, !this.opened)
    if (chunk !== undefined) this.#protocol.account.read(chunk)
    if (this.opened) this.upstreamError = error
    else this.failure = error
    if (!last) return output
    this.done = true
    return this.opened ? output + (this.#protocol.afterError?.(error) ?? '') : output
  }

  /** @returns whether the events are plain, and so are already counted */
  #passPlain(text: string, events: number): boolean {
    if (!this.#protocol.arePlain(text)) return false
    this.#protocol.account.pass(text, events)
    return true
  }
}
