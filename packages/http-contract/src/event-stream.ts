import type { EventStreamOptions } from './response-body.ts'

/** A comment line that keeps the connection open. Clients ignore it. */
export const KEEP_ALIVE_COMMENT = ': keep-alive\n\n'

/**
 * Encodes one server-sent event with a JSON value as its data, with the empty line at its end.
 *
 * @param name sent as the `event:` line; must not contain a line break, which is not checked
 */
export function encodeEvent(event: unknown, name?: string): string {
  const data = `data: ${JSON.stringify(event)}\n\n`
  return name === undefined ? data : `event: ${name}\n${data}`
}

/**
 * Encodes events one by one, when the reader requests them. A source that fails ends the stream with the event that
 * `interrupted` returns, and without the sentinel. Returning early closes the source, also before the first read.
 */
export function encodeEvents(
  events: AsyncIterable<unknown>,
  options: EventStreamOptions,
  interrupted: (error: unknown) => unknown,
): AsyncIterable<string> {
  return { [Symbol.asyncIterator]: () => new EncodedEvents(events[Symbol.asyncIterator](), options, interrupted) }
}

/** Encodes one JSON value on each line. If the source fails, `onFault` gets the error and the iterator rejects. */
export function encodeLines(lines: AsyncIterable<unknown>, onFault: (error: unknown) => void): AsyncIterable<string> {
  return mapChunks(lines, (line) => `${JSON.stringify(line)}\n`, onFault)
}

/** Passes chunks through. If the source fails, `onFault` gets the error and the iterator rejects. */
export function watchChunks<Chunk>(
  chunks: AsyncIterable<Chunk>,
  onFault: (error: unknown) => void,
): AsyncIterable<Chunk> {
  return mapChunks(chunks, (chunk) => chunk, onFault)
}

const end: IteratorReturnResult<undefined> = { done: true, value: undefined }

const closeQuietly = (source: AsyncIterator<unknown>) => source.return?.().then(undefined, () => undefined)

// Iterators by hand instead of generators: a generator that has not begun ignores `return`, and its source stays open.
class EncodedEvents implements AsyncIterator<string> {
  readonly #source: AsyncIterator<unknown>
  readonly #options: EventStreamOptions
  readonly #interrupted: (error: unknown) => unknown
  #state: 'open' | 'closed' = 'open'
  #pending: Promise<IteratorResult<unknown>> | undefined
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(source: AsyncIterator<unknown>, options: EventStreamOptions, interrupted: (error: unknown) => unknown) {
    this.#source = source
    this.#options = options
    this.#interrupted = interrupted
  }

  next(): Promise<IteratorResult<string>> {
    if (this.#state === 'closed') return Promise.resolve(end)
    const { keepAliveSeconds } = this.#options
    if (keepAliveSeconds !== undefined) return this.#nextOrComment(keepAliveSeconds * 1000)
    return this.#source.next().then(this.#encode, this.#interrupt)
  }

  async return(): Promise<IteratorResult<string>> {
    clearTimeout(this.#timer)
    this.#state = 'closed'
    await this.#source.return?.()
    return end
  }

  readonly #encode = (result: IteratorResult<unknown>): IteratorResult<string> => {
    const { sentinel, eventName } = this.#options
    if (!result.done) {
      try {
        return { done: false, value: encodeEvent(result.value, eventName?.(result.value)) }
      } catch (error) {
        closeQuietly(this.#source)
        return this.#interrupt(error)
      }
    }
    if (this.#state === 'closed' || sentinel === undefined) return end
    this.#state = 'closed'
    return { done: false, value: `data: ${sentinel}\n\n` }
  }

  readonly #interrupt = (error: unknown): IteratorResult<string> => {
    if (this.#state === 'closed') return end
    this.#state = 'closed'
    return { done: false, value: encodeEvent(this.#interrupted(error)) }
  }

  async #nextOrComment(milliseconds: number): Promise<IteratorResult<string>> {
    this.#pending ??= this.#source.next()
    const silence = new Promise<typeof silent>((resolve) => {
      this.#timer = setTimeout(resolve, milliseconds, silent)
    })
    try {
      const result = await Promise.race([this.#pending, silence])
      if (result === silent) return { done: false, value: KEEP_ALIVE_COMMENT }
      this.#pending = undefined
      return this.#encode(result)
    } catch (error) {
      return this.#interrupt(error)
    } finally {
      clearTimeout(this.#timer)
    }
  }
}

const silent = Symbol('silent')

function mapChunks<From, To>(
  chunks: AsyncIterable<From>,
  map: (chunk: From) => To,
  onFault: (error: unknown) => void,
): AsyncIterable<To> {
  return {
    [Symbol.asyncIterator]: () => {
      const source = chunks[Symbol.asyncIterator]()
      return {
        next: async () => {
          try {
            const result = await source.next()
            return result.done ? end : { done: false, value: map(result.value) }
          } catch (error) {
            closeQuietly(source)
            onFault(error)
            throw error
          }
        },
        return: async () => {
          await source.return?.()
          return end
        },
      }
    },
  }
}
