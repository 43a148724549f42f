import { byteLength } from '../byte-length.ts'
import type { ByteSink, SinkControl } from '../chat/streams/byte-sink.ts'
import type { Streamed } from '../dialects/answering/answering.ts'
import { encodeEvent, type ResponseEvent } from './response-event.ts'

/** Events of a response. The caller must attach or cancel them. */
export type EventStream = Pick<Streamed, 'attach' | 'cancel'>

export interface EventReplayOptions {
  /** The most bytes that are kept. Beyond it, the oldest events are dropped. */
  readonly maxBytes: number
  readonly keepAliveMs: number
  /** Called with the bytes that are kept more, or with a negative number. */
  readonly onResized: (bytes: number) => void
}

/** The numbered events of one response, for readers that begin at any of them and continue with those to come. */
export class EventReplay {
  readonly #options: EventReplayOptions
  readonly #events = new Map<number, string>()
  readonly #readers = new Set<() => void>()
  /** The number of the oldest event that is kept. */
  #first = 0
  #next = 0
  #bytes = 0
  #isComplete = false
  #ended = false

  constructor(options: EventReplayOptions) {
    this.#options = options
  }

  get ended(): boolean {
    return this.#ended
  }

  add(event: ResponseEvent): void {
    if (this.#ended) return
    const text = encodeEvent(event, this.#next)
    this.#events.set(this.#next, text)
    this.#next += 1
    this.#isComplete = LAST_EVENTS.has(event.type)
    for (const pump of [...this.#readers]) pump()
    this.#resize(byteLength(text))
    while (this.#bytes > this.#options.maxBytes && this.dropOldest()) {}
  }

  /** Ends all readers after the last event. One that is absent is replaced by an error. */
  end(): void {
    if (this.#ended) return
    if (!this.#isComplete) this.add(endedEvent)
    this.#ended = true
    for (const pump of [...this.#readers]) pump()
  }

  /** Drops one event. @returns whether there was one */
  dropOldest(): boolean {
    const text = this.#events.get(this.#first)
    if (text === undefined) return false
    this.#events.delete(this.#first)
    this.#first += 1
    this.#resize(-byteLength(text))
    return true
  }

  /** Drops all events. */
  clear(): void {
    this.#events.clear()
    this.#first = this.#next
    this.#resize(-this.#bytes)
  }

  /** Returns the events after a number, or `undefined` where some of them are dropped. */
  after(number: number): EventStream | undefined {
    if (number + 1 < this.#first) return undefined
    return { attach: (sink) => this.#attach(number + 1, sink), cancel: () => undefined }
  }

  #resize(bytes: number): void {
    this.#bytes += bytes
    this.#options.onResized(bytes)
  }

  #attach(start: number, sink: ByteSink): SinkControl {
    let position = start
    let isBlocked = false
    const write = (text: string) => {
      isBlocked = !sink.write(text)
    }
    const timer = setInterval(() => isBlocked || write(KEEP_ALIVE), this.#options.keepAliveMs)
    const close = () => {
      clearInterval(timer)
      this.#readers.delete(pump)
    }
    const pump = () => {
      for (let text = this.#events.get(position); text !== undefined && !isBlocked; text = this.#events.get(position)) {
        position += 1
        write(text)
      }
      const isBehind = position < this.#first
      if (isBlocked || !(isBehind || this.#ended)) return
      if (isBehind) sink.write(encodeEvent(eventsDropped, position))
      close()
      sink.end()
    }
    this.#readers.add(pump)
    pump()
    return {
      resume() {
        isBlocked = false
        pump()
      },
      close,
    }
  }
}

/** The types of the events with which a response ends. */
export const LAST_EVENTS: ReadonlySet<string> = new Set([
  'response.completed',
  'response.incomplete',
  'response.failed',
  'response.cancelled',
])

const endedEvent: ResponseEvent = {
  type: 'error',
  fields: { code: 'server_error', message: 'The response ended without a result that can be read.', param: null },
}

const KEEP_ALIVE = ': keep-alive\n\n'

/** The last event of a client that reads too slowly. */
export const eventsDropped: ResponseEvent = {
  type: 'error',
  fields: {
    code: 'events_dropped',
    message:
      'The client read too slowly, and the events that follow are no longer kept. Read the response without a stream.',
    param: null,
  },
}
