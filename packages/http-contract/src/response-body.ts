import type { GenericSchema } from 'valibot'

/** What a response may carry: a JSON value of a schema, or one of the kinds below. */
export type ResponseBody = GenericSchema | NoBody | EventStream | JsonLines | BytesBody | JsonOrEvents

/** A response without a body or a content type. */
export interface NoBody {
  readonly kind: 'no-body'
}

/** A response of server-sent events, each a JSON value of the schema. */
export interface EventStream<Event extends GenericSchema = GenericSchema> extends EventStreamOptions {
  readonly kind: 'event-stream'
  readonly event: Event
}

export interface EventStreamOptions extends StreamOptions {
  /** Sent as the last `data:` line of a stream that ended well, as OpenAI's `[DONE]`. */
  readonly sentinel?: string
  /** Names an event on its `event:` line. Without it no event has a name. */
  readonly eventName?: (event: unknown) => string | undefined
  /** Sends a comment whenever that many seconds passed without an event. @default no comments */
  readonly keepAliveSeconds?: number
}

export interface StreamOptions {
  /**
   * When the status and the headers go out. `first-event`: a stream that fails before it is still a proper error reply.
   * `at-once`: for streams that may be silent for long, whose clients want to know that they are connected.
   *
   * @default 'first-event'
   */
  readonly commit?: 'first-event' | 'at-once'
}

/** A response of JSON values, one a line. */
export interface JsonLines<Line extends GenericSchema = GenericSchema> extends StreamOptions {
  readonly kind: 'json-lines'
  readonly line: Line
}

/** A response of bytes, with the content type that the OpenAPI document names. */
export interface BytesBody {
  readonly kind: 'bytes'
  readonly contentType: string
  /** What a handler may say instead. @default nothing else is described */
  readonly otherTypes?: readonly string[]
}

/** Both under one status: the whole value as JSON, or its events, as the request asked for. */
export interface JsonOrEvents<
  Value extends GenericSchema = GenericSchema,
  Event extends GenericSchema = GenericSchema,
> {
  readonly kind: 'json-or-events'
  readonly value: Value
  readonly events: EventStream<Event>
}

/** Declares a response without a body. */
export const noBody: NoBody = { kind: 'no-body' }

/** Declares a response of server-sent events. */
export const eventStream = <Event extends GenericSchema>(
  event: Event,
  options: EventStreamOptions = {},
): EventStream<Event> => ({ kind: 'event-stream', event, ...options })

/** Declares a response that is a whole value, or its events, as the request asked for. */
export const jsonOrEvents = <Value extends GenericSchema, Event extends GenericSchema>(
  value: Value,
  events: EventStream<Event>,
): JsonOrEvents<Value, Event> => ({ kind: 'json-or-events', value, events })

/** Newline-delimited JSON, one value a line, for as long as the handler's iterable goes on. */
export const jsonLines = <Line extends GenericSchema>(line: Line, options: StreamOptions = {}): JsonLines<Line> => ({
  kind: 'json-lines',
  line,
  ...options,
})

/**
 * Bytes, whole or as a stream, of the first content type; a handler's `content-type` header replaces it. The other types
 * are described beside it.
 */
export const bytes = (contentType: string, ...otherTypes: readonly string[]): BytesBody => ({
  kind: 'bytes',
  contentType,
  ...(otherTypes.length > 0 && { otherTypes }),
})

/**
 * JSON that is encoded already: a handler that has the bytes hands them over, and nothing parses them again.
 * Made by {@link encodedJson} only, so that no JSON value of someone else can pass for it.
 */
export interface EncodedJson {
  readonly kind: 'encoded-json'
  readonly text: string | Uint8Array
}

class EncodedText implements EncodedJson {
  readonly kind = 'encoded-json'
  readonly text: string | Uint8Array

  constructor(text: string | Uint8Array) {
    this.text = text
  }
}

/** JSON that is written already. It is sent as it is, and checked by no one. */
export const encodedJson = (text: string | Uint8Array): EncodedJson => new EncodedText(text)

export const isEncodedJson = (body: unknown): body is EncodedJson => body instanceof EncodedText

/** Where a {@link Relay} puts the bytes of an event stream. */
export interface RelaySink {
  /** @returns whether the client keeps up; after `false`, wait for {@link RelaySource.resume} */
  write(chunk: Uint8Array | string): boolean
  /** Ends the answer as complete. */
  end(): void
  /** Breaks the connection, so that the client can't take a part for the whole. */
  destroy(): void
}

/** What the sink calls back. */
export interface RelaySource {
  /** The client can take more after a refused write. */
  resume(): void
  /** The client went away before the end; no further call follows. */
  close(): void
}

/**
 * A push-style body for hot paths: encoded events are written as they come, without an async iterator between.
 * `start` is called once, after the status and the headers are committed.
 */
export interface Relay {
  readonly kind: 'relay'
  readonly start: (sink: RelaySink) => RelaySource
  /** Called instead of `start` where nobody will read the body. */
  readonly cancel: () => void
}

/** A body whose bytes are pushed as they come. `cancel` ends a relay that was never started. */
export const relay = (start: Relay['start'], cancel: Relay['cancel']): Relay => ({ kind: 'relay', start, cancel })

export const isRelay = (body: unknown): body is Relay =>
  typeof body === 'object' && body !== null && 'start' in body && typeof body.start === 'function'
