import { isObject } from '../../chat/is-object.ts'
import { parseJson } from '../../chat/parse-json.ts'
import { EventFramer } from '../../chat/streams/event-framer.ts'
import { eventTooLarge } from '../../chat/streams/stream-failures.ts'
import { isTooDeep } from '../../nesting.ts'
import type { ByteReceiver, ByteSource } from '../../providers/provider.ts'
import { type ProviderError, ProviderFailure, toProviderError } from '../../providers/provider-error.ts'
import type { UpstreamStream } from '../answering/upstream-calls.ts'
import type { JsonObject } from '../dialect.ts'
import { eventFields } from '../streams/event-fields.ts'
import { messageEvents } from './message-events.ts'
import { PausedTurn } from './paused-turn.ts'
import { malformed } from './read-answer.ts'
import { type TurnRoundOptions, TurnRoundReader } from './turn-round-reader.ts'

export interface TurnSourceOptions extends TurnRoundOptions {
  /** The request of the first stream. */
  readonly body: JsonObject
  /** Requests the stream of a further round. */
  readonly ask: (body: JsonObject) => Promise<UpstreamStream>
  /** Also the most bytes in one event. */
  readonly maxEventBytes: number
  /** Receives every error that is not a `ProviderFailure`. */
  readonly onFault: (error: unknown) => void
}

const decoder = new TextDecoder()
const encoder = new TextEncoder()

/** Makes one stream of messages of those of all rounds of a turn. */
export function turnStream(first: UpstreamStream, options: TurnSourceOptions): UpstreamStream {
  if (first.kind === 'whole' && first.value.stop_reason !== 'pause_turn') return first
  const { headers } = first
  const secrets = first.kind === 'events' ? first.secrets : []
  const start = (receiver: ByteReceiver) => new TurnSource(receiver, options).open(first)
  return { kind: 'events', start, secrets, headers, addsUsage: false }
}

/** Passes each round on as it comes. It continues where a round pauses, and ends with the first failure. */
class TurnSource implements ByteSource {
  readonly #receiver: ByteReceiver
  readonly #options: TurnSourceOptions
  readonly #turn: PausedTurn
  /** That of the current round. */
  #source: ByteSource | undefined
  #ended = false

  constructor(receiver: ByteReceiver, options: TurnSourceOptions) {
    this.#receiver = receiver
    this.#options = options
    this.#turn = new PausedTurn(options.body)
  }

  open(stream: UpstreamStream): ByteSource {
    this.#run(stream)
    return this
  }

  resume(): void {
    this.#source?.resume()
  }

  cancel(): void {
    this.#ended = true
    this.#source?.cancel()
  }

  #run(stream: UpstreamStream): void {
    this.#source?.cancel()
    this.#source = undefined
    if (stream.kind === 'events') {
      this.#source = stream.start(this.#receiverOfRound())
      return
    }
    if (isTooDeep(stream.value)) throw malformed('The answer of the upstream is nested too deeply.')
    const receiver = this.#receiverOfRound()
    receiver.data(encoder.encode(messageEvents(stream.value)))
    receiver.end()
  }

  #receiverOfRound(): ByteReceiver {
    const round = new TurnRoundReader(this.#turn, this.#options)
    const framer = new EventFramer()
    let isPaused = false
    const translate = (text: string): string => {
      if (isPaused) return ''
      const { data } = eventFields(text)
      const event = data === undefined ? undefined : parseJson(data)
      // The reader of the stream refuses what is not an event.
      if (!isObject(event)) return text
      const { output, next } = round.read(event, text)
      if (next) {
        isPaused = true
        // After the bytes of this round.
        queueMicrotask(() => this.#continue(next).catch((thrown) => this.#fail(thrown)))
      }
      return output
    }
    const tooLarge = () => framer.held > this.#options.maxEventBytes || round.isTooLarge
    return {
      data: (bytes) => {
        if (this.#ended || isPaused) return true
        const block = framer.push(bytes)
        let output = ''
        let start = 0
        for (const end of block?.ends ?? []) {
          output += translate(decoder.decode(block?.bytes.subarray(start, end)))
          start = end
        }
        const wants = output === '' || this.#receiver.data(encoder.encode(output))
        if (tooLarge()) this.#failWith(eventTooLarge())
        return wants
      },
      end: () => {
        if (this.#ended || isPaused) return
        const rest = decoder.decode(framer.rest())
        const output = rest.trim() === '' ? '' : translate(`${rest}\n\n`)
        if (output !== '') this.#receiver.data(encoder.encode(output))
        if (!isPaused) this.#receiver.end()
      },
      failed: (error) => {
        if (!isPaused) this.#failWith(error)
      },
    }
  }

  async #continue(body: JsonObject): Promise<void> {
    if (this.#ended) return
    const stream = await this.#options.ask(body)
    if (!this.#ended) this.#run(stream)
  }

  #fail(thrown: unknown): void {
    if (this.#ended) return
    if (!ProviderFailure.is(thrown)) this.#options.onFault(thrown)
    this.#failWith(ProviderFailure.is(thrown) ? thrown.error : failed())
  }

  #failWith(error: ProviderError): void {
    if (this.#ended) return
    this.#ended = true
    this.#source?.cancel()
    this.#receiver.failed(error)
  }
}

const failed = () => toProviderError({ type: 'malformed', message: 'The upstream failed after a pause.' })
