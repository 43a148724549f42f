import { closeIterator, JSON_TYPE, noSniffing, type Relay, type Reply, releaseReply } from '@trivium/http-contract'

/** Converts a reply to a web-standard response. */
export function toResponse(reply: Reply, method: string, fail: (error: unknown) => Reply): Response {
  try {
    return respond(reply, method)
  } catch (error) {
    releaseReply(reply)
    return respondFailure(fail(error), method)
  }
}

function respondFailure(failure: Reply, method: string): Response {
  try {
    return respond(failure, method)
  } catch {
    releaseReply(failure)
    return new Response(null, { status: 500 })
  }
}

function respond(reply: Reply, method: string): Response {
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
      return new Response(streamOf(reply.chunks), { status, headers: { ...noSniffing, ...headers } })
    case 'relay': {
      // Created before the relay starts, because it throws for an invalid header.
      const checked = new Headers({ ...noSniffing, ...headers })
      return new Response(relayed(reply), { status, headers: checked })
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

/** Requests a chunk only when one is read. */
function streamOf(chunks: AsyncIterable<string | Uint8Array>): ReadableStream<Uint8Array> {
  const iterator = chunks[Symbol.asyncIterator]()
  return new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        const { done, value } = await iterator.next()
        if (done) controller.close()
        else controller.enqueue(encode(value))
      },
      cancel: () => closeIterator(iterator),
    },
    { highWaterMark: 0 },
  )
}

/** The most bytes that a relay may be ahead of its reader. */
const RELAY_BUFFER = 2 ** 16

function relayed(relay: Relay): ReadableStream<Uint8Array> {
  let over = false
  let full = false
  let source: ReturnType<Relay['start']> | undefined
  return new ReadableStream<Uint8Array>(
    {
      start: (controller) => {
        source = relay.start({
          write: (chunk) => {
            if (over) return false
            controller.enqueue(encode(chunk))
            full = (controller.desiredSize ?? 0) <= 0
            return !full
          },
          end: () => {
            if (over) return
            over = true
            controller.close()
          },
          destroy: () => {
            if (over) return
            over = true
            controller.error(new Error('The answer was cut off'))
          },
        })
      },
      pull: () => {
        if (over || !full) return
        full = false
        source?.resume()
      },
      cancel: () => {
        if (over) return
        over = true
        source?.close()
      },
    },
    { highWaterMark: RELAY_BUFFER, size: (chunk) => chunk?.byteLength ?? 0 },
  )
}
