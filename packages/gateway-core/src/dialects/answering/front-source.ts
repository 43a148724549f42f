import type { AnswerUsage } from '../../chat/answer-usage.ts'
import type { ByteReceiver, ByteSource } from '../../providers/provider.ts'
import { answerEvents } from '../conversation/answer-events.ts'
import type { StreamProtocol } from '../streams/stream-protocol.ts'
import { translatedStart } from '../streams/translated-source.ts'
import { writtenProtocol } from '../streams/written-protocol.ts'
import { writtenStart } from '../streams/written-source.ts'
import { readWhole } from './read-whole.ts'
import type { AnswerTranslation } from './request-translator.ts'
import type { UpstreamStream } from './upstream-calls.ts'

/** A stream in the dialect of the client. */
export interface FrontSource {
  readonly protocol: StreamProtocol
  readonly start: (receiver: ByteReceiver) => ByteSource
  /** Replaced by `***` in the stream's error events. */
  readonly secrets: readonly string[]
  /** The upstream's response headers. */
  readonly headers: Readonly<Record<string, string>>
  readonly omitted: readonly string[]
  /** The input tokens that the upstream has reported, where the dialect of the client reports them only at the end. */
  readonly inputTokens: () => number | undefined
  /** What rounds before the current one have used. `undefined` where an answer has one round. */
  readonly ended?: () => EndedRounds | undefined
}

/** The rounds of a streamed answer that have ended. */
export interface EndedRounds extends AnswerUsage {
  /** Those of the client's stream that belong to them. */
  readonly pieces: number
}

export interface FrontSourceOptions {
  readonly protocolFor: (addsUsage: boolean) => StreamProtocol
  /** `undefined` for an upstream of the client's own dialect. */
  readonly translation: AnswerTranslation | undefined
  /** Called for an upstream of the client's own dialect that sends a complete answer. */
  readonly ownTranslation: () => AnswerTranslation
  readonly omitted: readonly string[]
  readonly maxEventBytes: number
}

/** Makes a stream for the client from what the upstream sends. */
export function frontSource(stream: UpstreamStream, options: FrontSourceOptions): FrontSource {
  const { headers } = stream
  const { translation, omitted, protocolFor, maxEventBytes } = options
  if (stream.kind === 'whole') {
    const { from, to, context } = translation ?? options.ownTranslation()
    const writer = to.writeEvents(context)
    const protocol = writtenProtocol(protocolFor(true), writer)
    const { secrets, value } = stream
    const events = answerEvents(readWhole(value, { from, context, most: maxEventBytes, secrets }))
    const start = writtenStart(events, writer, protocol.end)
    return { protocol, start, secrets: [], headers, omitted, inputTokens: unknown }
  }
  const { start, secrets } = stream
  if (!translation) {
    const protocol = protocolFor(stream.addsUsage)
    return { protocol, start, secrets, headers, omitted, inputTokens: unknown }
  }
  const { from, to, context } = translation
  const writer = to.writeEvents(context)
  const protocol = writtenProtocol(protocolFor(true), writer)
  let inputTokens: number | undefined
  const translated = translatedStart(start, {
    reader: from.readEvents(context),
    writer,
    end: protocol.end,
    maxEventBytes,
    secrets,
    onInputTokens: (tokens) => {
      inputTokens = tokens
    },
  })
  return { protocol, start: translated, secrets: [], headers, omitted, inputTokens: () => inputTokens }
}

const unknown = () => undefined
