import {
  type BodyAdvice,
  BodyTooLarge,
  BodyUnavailable,
  ByteCollector,
  ClientDisconnected,
  consumedBody,
  inOneChunk,
  type RequestBody,
} from '@trivium/http-contract'

/** Bytes that are read beyond the limit, because some clients read the answer only after they have sent everything. */
const DISCARD_LIMIT = 32 * 2 ** 20

/** Reads a request's body. Rejects as `Exchange.body` does, and with `BodyUnavailable` if the host has read it. */
export async function readFetchBody(request: Request, limit: number): Promise<RequestBody> {
  const announced = request.headers.get('content-length')
  if (announced === '0') return { kind: 'none' }
  if (announced !== null && Number(announced) <= limit) return { kind: 'bytes', bytes: await readWhole(request, limit) }
  if (request.body === null) return { kind: 'none' }
  if (request.bodyUsed || request.body.locked) throw new BodyUnavailable(consumed)
  const reader: ReadableStreamDefaultReader<Uint8Array> = request.body.getReader()
  if (announced !== null) {
    void discard(reader)
    throw new BodyTooLarge(limit)
  }
  return { kind: 'bytes', bytes: await readParts(reader, limit) }
}

/** Returns the body as chunks, which are requested as they are read. Throws as {@link readFetchBody} rejects. */
export function streamFetchBody(request: Request, limit: number): AsyncIterable<Uint8Array> {
  const announced = request.headers.get('content-length')
  if (announced === '0' || request.body === null) return inOneChunk(new Uint8Array())
  if (request.bodyUsed || request.body.locked) throw new BodyUnavailable(consumed)
  const reader: ReadableStreamDefaultReader<Uint8Array> = request.body.getReader()
  if (announced === null || Number(announced) <= limit) return chunksOf(reader, limit)
  void discard(reader)
  throw new BodyTooLarge(limit)
}

async function* chunksOf(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  limit: number,
): AsyncGenerator<Uint8Array, void> {
  let size = 0
  let isEnded = false
  try {
    while (true) {
      const { done, value } = await reader.read().catch(() => {
        isEnded = true
        throw new ClientDisconnected()
      })
      isEnded = done
      if (done) return
      size += value.byteLength
      if (size > limit) throw new BodyTooLarge(limit)
      yield value
    }
  } finally {
    if (!isEnded) void discard(reader)
  }
}

async function readWhole(request: Request, limit: number): Promise<Uint8Array> {
  const bytes = new Uint8Array(await request.arrayBuffer().catch(interpret(request)))
  // Only a request that was not received by a server can announce less than it has.
  if (bytes.byteLength > limit) throw new BodyTooLarge(limit)
  return bytes
}

/** The advice to a host that has read the body of a request itself. */
export const consumed: BodyAdvice = consumedBody(
  'Pass what was read to the fetch handler, as `body` of its second argument.',
)

const interpret = (request: Request) => (error: unknown) => {
  if (request.bodyUsed && request.signal.aborted) throw new ClientDisconnected()
  // A read of a request that the host has read fails with a TypeError. Asking before each read costs time.
  throw error instanceof TypeError && (request.bodyUsed || request.body?.locked) ? new BodyUnavailable(consumed) : error
}

async function readParts(reader: ReadableStreamDefaultReader<Uint8Array>, limit: number): Promise<Uint8Array> {
  const collector = new ByteCollector()
  while (true) {
    const { done, value } = await reader.read().catch(() => {
      throw new ClientDisconnected()
    })
    if (done) return collector.bytes()
    collector.add(value)
    if (collector.size > limit) {
      void discard(reader)
      throw new BodyTooLarge(limit)
    }
  }
}

async function discard(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<void> {
  let discarded = 0
  try {
    while (discarded <= DISCARD_LIMIT) {
      const { done, value } = await reader.read()
      if (done) return
      discarded += value.byteLength
    }
    await reader.cancel()
  } catch {
    // The client has disconnected, so there is nothing left to discard.
  }
}
