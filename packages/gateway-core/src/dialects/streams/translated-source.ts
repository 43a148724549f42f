import { isObject } from '../../chat/is-object.ts'
import { parseJson } from '../../chat/parse-json.ts'
import { type EventBlock, EventFramer } from '../../chat/streams/event-framer.ts'
import { eventTooLarge, notACompletion, streamIncomplete } from '../../chat/streams/stream-failures.ts'
import { isDeepJson } from '../../nesting.ts'
import { refusalFrom } from '../../providers/error-body.ts'
import { maskedError } from '../../providers/masked-error.ts'
import type { ByteReceiver, ByteSource } from '../../providers/provider.ts'
import { type ProviderError, ProviderFailure, toProviderError } from '../../providers/provider-error.ts'
import type { ConversationEvent } from '../conversation/conversation-answer.ts'
import type { EventReader, EventWriter } from '../translation.ts'
import { eventFields } from './event-fields.ts'

export interface TranslatedSourceOptions {
  readonly reader: EventReader
  readonly writer: EventWriter
  /** Ends the stream for the client, such as `data: [DONE]`. */
  readonly end: string
  /** The most bytes in one event, and the most characters of the answer, which readers assemble. */
  readonly maxEventBytes: number
  /** Replaced by `***` in errors. */
  readonly secrets: readonly string[]
  /** Receives the input tokens that the first event reports. */
  readonly onInputTokens: (tokens: number) => void
}

const decoder = new TextDecoder()
const encoder = new TextEncoder()

/** Makes the source of another dialect's stream one of the client's dialect. */
export const translatedStart =
  (start: (receiver: ByteReceiver) => ByteSource, options: TranslatedSourceOptions) =>
  (receiver: ByteReceiver): ByteSource =>
    new TranslatedSource(receiver, options).open(start)

/**
 * Translates a stream event by event. The events of one chunk are written as one chunk. An error of the upstream ends the
 * source as failed, and one that ends before its last event is never complete.
 */
class TranslatedSource implements ByteReceiver, ByteSource {
  readonly #receiver: ByteReceiver
  readonly #options: TranslatedSourceOptions
  readonly #framer = new EventFramer()
  #source: ByteSource | undefined
  /** What the receiver last answered: the upstream continues while it is `true`. */
  #wants = true
  /** The answer is complete. Later bytes are dropped, until the upstream ends. */
  #finished = false
  #ended = false
  #characters = 0
  /** The events of the current chunk. */
  #output = ''

  constructor(receiver: ByteReceiver, options: TranslatedSourceOptions) {
    this.#receiver = receiver
    this.#options = options
  }

  open(start: (receiver: ByteReceiver) => ByteSource): ByteSource {
    this.#source = start(this)
    if (this.#ended) this.#source.cancel()
    return this
  }

  data(bytes: Uint8Array): boolean {
    if (this.#ended || this.#finished) return true
    const block = this.#framer.push(bytes)
    if (block) this.#translateAll(block)
    if (this.#ended || this.#finished) return this.#flush()
    if (this.#framer.held > this.#options.maxEventBytes) this.#fail(eventTooLarge())
    return this.#flush()
  }

  end(): void {
    if (!this.#finished) {
      // Without a last blank line, the last event may be whole or cut.
      const rest = `${decoder.decode(this.#framer.rest())}\n\n`
      if (isReadable(rest)) this.#translate(rest)
      if (!this.#finished) this.#write(() => this.#options.reader.end())
    }
    this.#flush()
    if (this.#ended) return
    this.#ended = true
    if (this.#finished) this.#receiver.end()
    else this.#receiver.failed(streamIncomplete())
  }

  failed(error: ProviderError): void {
    if (this.#ended) return
    this.#ended = true
    this.#receiver.failed(error)
  }

  resume(): void {
    this.#wants = true
    this.#source?.resume()
  }

  cancel(): void {
    this.#ended = true
    this.#source?.cancel()
  }

  #translateAll({ bytes, ends }: EventBlock): void {
    const text = decoder.decode(bytes)
    // Then places in the text are those in the bytes.
    const isAscii = text.length === bytes.length
    let start = 0
    for (const end of ends) {
      this.#translate(isAscii ? text.slice(start, end) : decoder.decode(bytes.subarray(start, end)))
      start = end
      if (this.#ended || this.#finished) return
    }
  }

  /** @returns whether the upstream may continue */
  #flush(): boolean {
    const output = this.#output
    this.#output = ''
    if (output !== '' && !this.#ended) this.#wants = this.#receiver.data(encoder.encode(output))
    return this.#wants || this.#ended
  }

  #translate(text: string): void {
    if (this.#ended) return
    const { name, data } = eventFields(text)
    if (data === undefined) return
    if (data === '[DONE]') {
      this.#write(() => this.#options.reader.end())
      if (!this.#finished) this.#fail(streamIncomplete())
      return
    }
    const value = parseJson(data)
    // What is passed on as it is has to be encoded again.
    if (isObject(value) && !isDeepJson(data, value)) this.#write(() => this.#options.reader.read(name, value))
    else this.#fail(name === 'error' ? refusalFrom(data, false) : notACompletion())
  }

  #write(read: () => readonly ConversationEvent[]): void {
    if (this.#ended) return
    try {
      for (const event of read()) {
        if (event.type === 'error') this.#fail(event.error)
        else this.#writeOne(event)
        if (this.#ended || this.#finished) return
      }
    } catch (thrown) {
      this.#fail(ProviderFailure.is(thrown) ? thrown.error : untranslatable())
    }
  }

  #writeOne(event: ConversationEvent): void {
    const { writer, end, maxEventBytes, onInputTokens } = this.#options
    if (event.type === 'start' && event.usage) onInputTokens(event.usage.inputTokens)
    if (event.type === 'text' || event.type === 'summary') this.#characters += event.text.length
    if (this.#characters > maxEventBytes) {
      this.#fail(eventTooLarge())
      return
    }
    this.#output += writer.write(event)
    if (event.type !== 'finish') return
    this.#finished = true
    if (!this.#output.endsWith(end)) this.#output += end
  }

  /** The client gets what came before the failure. */
  #fail(error: ProviderError): void {
    this.#flush()
    if (this.#ended) return
    this.#ended = true
    this.#source?.cancel()
    this.#receiver.failed(maskedError(error, this.#options.secrets))
  }
}

/** Returns whether the rest of a stream is a whole event. */
function isReadable(text: string): boolean {
  const { data } = eventFields(text)
  return data === '[DONE]' || (data !== undefined && isObject(parseJson(data)))
}

const untranslatable = (): ProviderError =>
  toProviderError({ type: 'malformed', message: 'The events of the upstream cannot be translated.' })
