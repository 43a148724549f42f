import type { ByteReceiver, ByteSource } from '../../providers/provider.ts'
import { ProviderFailure, toProviderError } from '../../providers/provider-error.ts'
import type { UpstreamStream } from '../answering/upstream-calls.ts'
import { answerEvents } from '../conversation/answer-events.ts'
import type { ConversationAnswer } from '../conversation/conversation-answer.ts'
import type { OutputPart, ToolCallPart } from '../conversation/conversation-parts.ts'
import type { ConversationRequest } from '../conversation/conversation-request.ts'
import type { JsonObject } from '../dialect.ts'
import { translatedStart } from '../streams/translated-source.ts'
import type { EventReader, EventWriter } from '../translation.ts'
import { type EndedSearch, type ModelSearchesParts, startSearches } from './model-searches.ts'
import { SearchRoundWriter } from './search-round-writer.ts'
import type { SearchRounds } from './search-rounds.ts'

export interface SearchingSourceOptions {
  readonly rounds: SearchRounds
  readonly searches: ModelSearchesParts
  /** Requests the stream of a further round. */
  readonly ask: (request: ConversationRequest) => Promise<UpstreamStream>
  readonly newReader: () => EventReader
  readonly readAnswer: (value: JsonObject) => ConversationAnswer
  readonly writer: EventWriter
  /** Ends the stream for the client. */
  readonly end: string
  readonly maxEventBytes: number
  /** Receives the input tokens of the current round. */
  readonly onInputTokens: (tokens: number) => void
  /** Called before each further round. */
  readonly onNextRound: () => void
  /** Receives every error that is not a `ProviderFailure`. */
  readonly onFault: (error: unknown) => void
}

const encoder = new TextEncoder()

/** Makes one stream of the client's dialect of the streams of all rounds. */
export const searchingStart =
  (first: UpstreamStream, options: SearchingSourceOptions) =>
  (receiver: ByteReceiver): ByteSource =>
    new SearchingSource(receiver, options).open(first)

/** Streams each round as it comes, and searches between them. It ends with the first failure. */
class SearchingSource implements ByteSource {
  readonly #receiver: ByteReceiver
  readonly #options: SearchingSourceOptions
  /** That of the current round. */
  #source: ByteSource | undefined
  #isFirst = true
  #parts = 0
  #ended = false

  constructor(receiver: ByteReceiver, options: SearchingSourceOptions) {
    this.#receiver = receiver
    this.#options = options
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
    let searches = false
    const { rounds, writer, newReader, readAnswer, maxEventBytes } = this.#options
    const roundWriter = new SearchRoundWriter({
      rounds,
      writer,
      isFirst: this.#isFirst,
      nextIndex: () => this.#parts++,
      onFinish: (finish, content) => {
        const calls = rounds.end(content, finish.usage)
        if (calls.length > 0) {
          searches = true
          // After the bytes of this round.
          queueMicrotask(() => this.#search(calls, content).catch((thrown) => this.#fail(thrown)))
          return ''
        }
        const { usage: _, ...last } = finish
        const { usage } = rounds
        const ending = rounds.endingOf(finish.ending, content)
        return this.#closed(writer.write({ ...last, ending, ...(usage && { usage }) }))
      },
    })
    this.#isFirst = false
    const isOver = () => this.#ended || searches
    const receiver: ByteReceiver = {
      data: (bytes) => this.#ended || this.#receiver.data(bytes),
      end: () => {
        if (!isOver()) this.#receiver.end()
      },
      failed: (error) => {
        if (!isOver()) this.#receiver.failed(error)
      },
    }
    if (stream.kind === 'whole') {
      const output = answerEvents(readAnswer(stream.value)).map((event) => roundWriter.write(event))
      receiver.data(encoder.encode(output.join('')))
      receiver.end()
      return
    }
    this.#source?.cancel()
    this.#source = undefined
    this.#source = translatedStart(stream.start, {
      reader: newReader(),
      writer: roundWriter,
      end: '',
      maxEventBytes,
      secrets: stream.secrets,
      onInputTokens: this.#options.onInputTokens,
    })(receiver)
  }

  async #search(calls: readonly ToolCallPart[], content: readonly OutputPart[]): Promise<void> {
    const { rounds, searches, ask, onNextRound } = this.#options
    const ended: EndedSearch[] = []
    for (const running of startSearches(calls, searches)) {
      const index = this.#parts++
      if (this.#ended) return
      this.#write({ type: 'part', index, part: running.part })
      const search = await running.ended
      if (this.#ended) return
      this.#write({ type: 'part-end', index, part: search.part })
      ended.push(search)
    }
    onNextRound()
    rounds.continue(content, ended)
    const stream = await ask(rounds.request)
    if (!this.#ended) this.#run(stream)
  }

  #write(event: Parameters<EventWriter['write']>[0]): void {
    const text = this.#options.writer.write(event)
    if (text !== '') this.#receiver.data(encoder.encode(text))
  }

  #closed(output: string): string {
    const { end } = this.#options
    return output.endsWith(end) ? output : output + end
  }

  #fail(thrown: unknown): void {
    if (this.#ended) return
    this.#ended = true
    this.#source?.cancel()
    if (!ProviderFailure.is(thrown)) this.#options.onFault(thrown)
    this.#receiver.failed(ProviderFailure.is(thrown) ? thrown.error : failed())
  }
}

const failed = () => toProviderError({ type: 'malformed', message: 'The upstream failed after a search.' })
