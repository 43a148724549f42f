import {
  closeIterator,
  JSON_TYPE,
  type MountLifetime,
  noSniffing,
  type Relay,
  type Reply,
  releaseReply,
} from '@trivium/http-contract'

/** An answer that a handler prepares or a stream sends. */
export interface RunningAnswer {
  readonly cut: () => void
}

type RunningAnswers = Pick<MountLifetime<RunningAnswer>, 'begin' | 'end'>

export interface ResponseOptions {
  /** Returns the failure to send instead of a reply that cannot be sent. */
  readonly fail: (error: unknown) => Reply
  /** Counts the streams. */
  readonly lifetime: RunningAnswers
  /** That of the request, whose abort ends its streams: a host may abort it and leave the body open. */
  readonly signal: AbortSignal
}

type StreamOptions = Pick<ResponseOptions, 'lifetime' | 'signal'>

/** Converts a reply to a web-standard response. */
export function toResponse(reply: Reply, method: string, { fail, ...options }: ResponseOptions): Response {
  try {
    return respond(reply, method, options)
  } catch (error) {
    releaseReply(reply)
    return respondFailure(fail(error), method, options)
  }
}

function respondFailure(failure: Reply, method: string, options: StreamOptions): Response {
  try {
    return respond(failure, method, options)
  } catch {
    releaseReply(failure)
    return new Response(null, { status: 500 })
  }
}

function respond(reply: Reply, method: string, options: StreamOptions): Response {
  const { status, headers } = reply
  switch (reply.kind) {
    case 'json': {
      const text: string | undefined = JSON.stringify(reply.value)
      if (text === undefined) return respondEmpty(reply, method)
      return new Response(text, { status, headers: { 'content-type': JSON_TYPE, ...noSniffing, ...headers } })
    }
    case 'bytes':
      return new Response(toBody(reply.value), { status, headers: { ...noSniffing, ...headers } })
    case 'empty':
      return respondEmpty(reply, method)
    case 'stream':
      return new Response(streamOf(reply.chunks, options), { status, headers: { ...noSniffing, ...headers } })
    case 'relay': {
      // Created before the relay starts, because it throws for an invalid header.
      const checked = new Headers({ ...noSniffing, ...headers })
      return new Response(relayed(reply, options), { status, headers: checked })
    }
  }
}

function respondEmpty({ status, headers }: Reply, method: string): Response {
  const omitsLength = status === 204 || status === 304 || method === 'HEAD'
  return new Response(null, { status, headers: omitsLength ? headers : { ...headers, 'content-length': '0' } })
}

// No body uses shared memory.
const toBody = (value: string | Uint8Array): BodyInit => value as string | Uint8Array<ArrayBuffer>

const encoder = new TextEncoder()

const encode = (chunk: string | Uint8Array): Uint8Array => (typeof chunk === 'string' ? encoder.encode(chunk) : chunk)

const cutOffError = (): Error => new Error('The answer was cut off')

function onAbort(signal: AbortSignal, cut: () => void): void {
  if (signal.aborted) cut()
  else signal.addEventListener('abort', cut)
}

/** Requests a chunk only when one is read. */
function streamOf(
  chunks: AsyncIterable<string | Uint8Array>,
  { lifetime, signal }: StreamOptions,
): ReadableStream<Uint8Array> {
  const iterator = chunks[Symbol.asyncIterator]()
  let running: RunningAnswer | undefined
  // A response that its host never reads does not count.
  const begin = (controller: ReadableStreamDefaultController<Uint8Array>) => {
    if (running) return
    running = {
      cut: () => {
        controller.error(cutOffError())
        closeIterator(iterator)
        end()
      },
    }
    lifetime.begin(running)
    onAbort(signal, running.cut)
  }
  const end = () => {
    if (!running) return
    signal.removeEventListener('abort', running.cut)
    lifetime.end(running)
  }
  return new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        begin(controller)
        try {
          const { done, value } = await iterator.next()
          if (!done) return controller.enqueue(encode(value))
          end()
          controller.close()
        } catch (error) {
          end()
          throw error
        }
      },
      cancel: () => {
        end()
        closeIterator(iterator)
      },
    },
    { highWaterMark: 0 },
  )
}

/** The most bytes that a relay may be ahead of its reader. */
const RELAY_BUFFER = 2 ** 16

function relayed(relay: Relay, { lifetime, signal }: StreamOptions): ReadableStream<Uint8Array> {
  let over = false
  let full = false
  let source: ReturnType<Relay['start']> | undefined
  let running: RunningAnswer | undefined
  /** @returns whether the relay had not ended */
  const end = (): boolean => {
    if (over) return false
    over = true
    if (running) {
      signal.removeEventListener('abort', running.cut)
      lifetime.end(running)
    }
    return true
  }
  return new ReadableStream<Uint8Array>(
    {
      start: (controller) => {
        const destroy = () => {
          if (end()) controller.error(cutOffError())
        }
        running = {
          cut: () => {
            destroy()
            source?.close()
          },
        }
        lifetime.begin(running)
        source = relay.start({
          write: (chunk) => {
            if (over) return false
            controller.enqueue(encode(chunk))
            full = (controller.desiredSize ?? 0) <= 0
            return !full
          },
          end: () => {
            if (end()) controller.close()
          },
          destroy,
        })
        if (!over) onAbort(signal, running.cut)
      },
      pull: () => {
        if (over || !full) return
        full = false
        source?.resume()
      },
      cancel: () => {
        if (end()) source?.close()
      },
    },
    { highWaterMark: RELAY_BUFFER, size: (chunk) => chunk?.byteLength ?? 0 },
  )
}
