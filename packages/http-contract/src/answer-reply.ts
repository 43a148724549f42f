import { encodeEvents, encodeLines, watchChunks } from './event-stream.ts'
import type { Exchange, Reply, ReplyHeaders } from './exchange.ts'
import { holdFirst } from './held-stream.ts'
import type { Operation } from './operation.ts'
import { JSON_TYPE } from './reply-without-body.ts'
import { type EventStream, isEncodedJson, isRelay, type JsonLines, type ResponseBody } from './response-body.ts'

/** A handler's answer to any operation. */
export interface AnyAnswer {
  readonly status: number
  readonly headers?: ReplyHeaders
  readonly body?: unknown
}

export interface AnswerFaults {
  /** Reports the error that interrupted a started stream, and returns the value of its last event. */
  readonly interrupted: (error: unknown, exchange: Exchange) => unknown
  /** Reports the error that cut off a started answer whose format has no place for an error. */
  readonly broken: (error: unknown, exchange: Exchange) => void
}

const NO_HEADERS: ReplyHeaders = Object.freeze({})

const streamHeaders: ReplyHeaders = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no',
}

const linesHeaders: ReplyHeaders = { ...streamHeaders, 'content-type': 'application/x-ndjson' }

const encodedHeaders: ReplyHeaders = { 'content-type': JSON_TYPE }

/** Converts a handler's answer into a reply, as the operation declares it for the status. */
export function toReply(
  operation: Operation,
  answer: AnyAnswer,
  exchange: Exchange,
  faults: AnswerFaults,
): Reply | Promise<Reply> {
  return replyAs(operation.responses[answer.status], answer, exchange, faults)
}

function replyAs(
  declared: ResponseBody | undefined,
  { status, headers = NO_HEADERS, body }: AnyAnswer,
  exchange: Exchange,
  faults: AnswerFaults,
): Reply | Promise<Reply> {
  switch (declared?.kind) {
    case 'event-stream':
    case 'json-lines':
      return toStream(declared, { status, headers, body }, exchange, faults)
    case 'bytes': {
      const typed = { 'content-type': declared.contentType, ...headers }
      if (body instanceof Uint8Array) return { kind: 'bytes', status, headers: typed, value: body }
      if (isRelay(body)) return { ...body, status, headers: typed }
      // The handler's type allows nothing else.
      const chunks = watchChunks(body as AsyncIterable<Uint8Array>, (error) => faults.broken(error, exchange))
      return { kind: 'stream', status, headers: typed, chunks }
    }
    case 'no-body':
      return { kind: 'empty', status, headers }
    case 'json-or':
      if (isOtherForm(body)) return replyAs(declared.other, { status, headers, body }, exchange, faults)
      return toJson(status, headers, body)
    default:
      return toJson(status, headers, body)
  }
}

/** No value of JSON is one of these. */
const isOtherForm = (body: unknown): boolean =>
  isRelay(body) ||
  body instanceof Uint8Array ||
  (typeof body === 'object' && body !== null && Symbol.asyncIterator in body)

function toJson(status: number, headers: ReplyHeaders, body: unknown): Reply {
  if (!isEncodedJson(body)) return { kind: 'json', status, headers, value: body }
  return { kind: 'bytes', status, headers: withDefaultHeaders(encodedHeaders, headers), value: body.text }
}

async function toStream(
  declared: EventStream | JsonLines,
  { status, headers = NO_HEADERS, body }: AnyAnswer,
  exchange: Exchange,
  faults: AnswerFaults,
): Promise<Reply> {
  if (isRelay(body)) return { ...body, status, headers: withDefaultHeaders(streamHeaders, headers) }
  // The handler's type allows nothing else.
  let source = body as AsyncIterable<unknown>
  const held = declared.commit !== 'at-once' && exchange.method !== 'HEAD'
  if (held) source = await holdFirst(source, exchange.signal)
  return declared.kind === 'event-stream'
    ? {
        kind: 'stream',
        status,
        headers: withDefaultHeaders(streamHeaders, headers),
        chunks: encodeEvents(source, declared, (error) => faults.interrupted(error, exchange)),
      }
    : {
        kind: 'stream',
        status,
        headers: withDefaultHeaders(linesHeaders, headers),
        chunks: encodeLines(source, (error) => faults.broken(error, exchange)),
      }
}

const withDefaultHeaders = (own: ReplyHeaders, given: ReplyHeaders): ReplyHeaders =>
  given === NO_HEADERS ? own : { ...own, ...given }
