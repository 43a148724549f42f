import type { GenericSchema } from 'valibot'

/** The body of a response: a JSON value of a schema, or one of the kinds below. */
export type ResponseBody = GenericSchema | NoBody | EventStream | JsonLines | BytesBody | JsonOr

/** A response without a body or a content type. */
export interface NoBody {
  readonly kind: 'no-body'
}

/** A response of server-sent events, each a JSON value of the schema. */
export interface EventStream<Event extends GenericSchema = GenericSchema> extends EventStreamOptions {
  readonly kind: 'event-stream'
  /** The schema of one event, for types and documents. Events are not checked. */
  readonly event: Event
}

/** Options of {@link eventStream}. Each has a default. */
export interface EventStreamOptions extends StreamOptions {
  /** Sent as the last `data:` line of a stream that ends without an error, such as OpenAI's `[DONE]`. @default none */
  readonly sentinel?: string
  /** Returns the name for an event's `event:` line. @default events have no names */
  readonly eventName?: (event: unknown) => string | undefined
  /** Sends a comment after this many seconds without an event. @default no comments */
  readonly keepAliveSeconds?: number
}

/** Options of a stream of events or lines. */
export interface StreamOptions {
  /**
   * When the status and the headers are sent. `first-event`: a stream that fails before its first event becomes an
   * error reply. `at-once`: immediately, so that clients of streams with long silence see that they are connected.
   *
   * @default 'first-event'
   */
  readonly commit?: 'first-event' | 'at-once'
}

/** A response of JSON values, one on each line. */
export interface JsonLines<Line extends GenericSchema = GenericSchema> extends StreamOptions {
  readonly kind: 'json-lines'
  /** The schema of one line, for types and documents. Lines are not checked. */
  readonly line: Line
}

/** A response of bytes, with the content type that the OpenAPI document names. */
export interface BytesBody {
  readonly kind: 'bytes'
  /** The content type where the handler sets none. */
  readonly contentType: string
  /** Other content types that a handler may set, for the OpenAPI document. @default none */
  readonly otherTypes?: readonly string[]
}

/** A response that is the whole value as JSON, or another form of it, under one status. The handler chooses. */
export interface JsonOr<
  Value extends GenericSchema = GenericSchema,
  Other extends EventStream | JsonLines | BytesBody = EventStream | JsonLines | BytesBody,
> {
  readonly kind: 'json-or'
  /** The schema of the whole value. */
  readonly value: Value
  /** The response to a handler's iterable, relay or bytes. */
  readonly other: Other
}

/** Declares a response without a body. */
export const noBody: NoBody = { kind: 'no-body' }

/**
 * Declares a response of server-sent events, with one event for each value of the handler's iterable. If the iterable
 * fails after its first event, the event of `Failures.interrupted` is the last, and the sentinel is not sent.
 */
export const eventStream = <Event extends GenericSchema>(
  event: Event,
  options: EventStreamOptions = {},
): EventStream<Event> => ({ kind: 'event-stream', event, ...options })

/** Declares a response that is either a whole value, or events, lines or bytes: an iterable, a relay or bytes of the handler. */
export const jsonOr = <Value extends GenericSchema, Other extends EventStream | JsonLines | BytesBody>(
  value: Value,
  other: Other,
): JsonOr<Value, Other> => ({ kind: 'json-or', value, other })

/**
 * Declares a response of newline-delimited JSON, with one line for each value of the handler's iterable. If the
 * iterable fails after its first line, the connection is cut.
 */
export const jsonLines = <Line extends GenericSchema>(line: Line, options: StreamOptions = {}): JsonLines<Line> => ({
  kind: 'json-lines',
  line,
  ...options,
})

/**
 * Declares a response of bytes, whole, as a stream or as a relay. The first content type is the default; a handler's `content-type`
 * header replaces it. The OpenAPI document lists the other types too.
 */
export const bytes = (contentType: string, ...otherTypes: readonly string[]): BytesBody => ({
  kind: 'bytes',
  contentType,
  ...(otherTypes.length > 0 && { otherTypes }),
})

/**
 * JSON that is already encoded, for a handler that has the bytes. Only {@link encodedJson} creates it, so that a JSON
 * value from a request or an upstream cannot imitate it.
 */
export interface EncodedJson {
  readonly kind: 'encoded-json'
  /** Bytes are UTF-8. */
  readonly text: string | Uint8Array
}

class EncodedText implements EncodedJson {
  readonly kind = 'encoded-json'
  readonly text: string | Uint8Array

  constructor(text: string | Uint8Array) {
    this.text = text
  }
}

/** Marks a text as encoded JSON. It is sent unchanged and unchecked. */
export const encodedJson = (text: string | Uint8Array): EncodedJson => new EncodedText(text)

/** Whether a body was created by {@link encodedJson}. */
export const isEncodedJson = (body: unknown): body is EncodedJson => body instanceof EncodedText

/** The destination of the bytes of a {@link Relay}. */
export interface RelaySink {
  /** @returns whether the client takes more; after `false`, wait for {@link RelaySource.resume} */
  write(chunk: Uint8Array | string): boolean
  /** Ends the answer as complete. */
  end(): void
  /** Cuts the connection, so that the client sees that the answer is incomplete. */
  destroy(): void
}

/** Callbacks of a relay's sink. */
export interface RelaySource {
  /** The client takes more again after a write that returned `false`. */
  resume(): void
  /** The client disconnected before the end. No further call follows. */
  close(): void
}

/**
 * A push-style body for hot paths: encoded events are written as they arrive, without an async iterator. `start` is
 * called once, after the status and the headers are set.
 */
export interface Relay {
  readonly kind: 'relay'
  /** Begins to write. It must not throw. */
  readonly start: (sink: RelaySink) => RelaySource
  /** Called instead of `start` where the body is not read. */
  readonly cancel: () => void
}

/** Creates a body whose bytes are pushed as they arrive. `cancel` ends a relay that is never started. */
export const relay = (start: Relay['start'], cancel: Relay['cancel']): Relay => ({ kind: 'relay', start, cancel })

export const isRelay = (body: unknown): body is Relay =>
  typeof body === 'object' && body !== null && 'start' in body && typeof body.start === 'function'
