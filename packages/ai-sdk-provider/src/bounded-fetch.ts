import { ByteCollector, ProviderFailure } from '@trivium/gateway-core/ports'
import { upstreamFailures } from '@trivium/provider-kit/answers'

/** How much one answer may have, and who sends the requests. */
export interface BoundedFetchOptions {
  /** The most bytes of one answer, streams included. @default 128 MiB */
  readonly maxAnswerBytes?: number
  /** Sends the requests. @default the platform's */
  readonly fetch?: typeof globalThis.fetch
}

/** What may wait for a reader before the upstream is held back. */
const MAX_WAITING_BYTES = 65_536

/**
 * A `fetch` for the AI SDK's providers, whose own reads whatever comes: it follows no redirect, takes nothing
 * compressed, and breaks an answer off that is too large.
 */
export function boundedFetch({
  maxAnswerBytes = 128 * 2 ** 20,
  fetch = globalThis.fetch,
}: BoundedFetchOptions = {}): typeof globalThis.fetch {
  return async (input, init) => {
    const headers = new Headers(init?.headers ?? (input instanceof Request ? input.headers : undefined))
    headers.set('accept-encoding', 'identity')
    const response = await fetch(input, { ...init, headers, redirect: 'manual' })
    const encoding = response.headers.get('content-encoding') ?? 'identity'
    if (encoding !== 'identity') {
      await response.body?.cancel()
      throw new ProviderFailure(upstreamFailures.compressed)
    }
    if (!response.body) return response
    const { status, statusText, headers: answered } = response
    return new Response(bounded(response.body.getReader(), maxAnswerBytes), { status, statusText, headers: answered })
  }
}

/** The same bytes, no more than `limit` of them, with what comes in small pieces put together. */
function bounded(source: ReadableStreamDefaultReader<Uint8Array>, limit: number): ReadableStream<Uint8Array> {
  const waiting = new ByteCollector()
  let bytes = 0
  let ending: { readonly error?: unknown } | undefined
  let reading = false
  let wake: (() => void) | undefined

  const read = async (): Promise<void> => {
    if (reading) return
    reading = true
    try {
      while (ending === undefined && waiting.size <= MAX_WAITING_BYTES) {
        const { done, value } = await source.read()
        bytes += value?.byteLength ?? 0
        if (bytes > limit) throw new ProviderFailure(upstreamFailures.tooLarge)
        if (done) ending = {}
        else waiting.add(value)
        wake?.()
      }
    } catch (error) {
      ending = { error }
      wake?.()
      await source.cancel().catch(() => undefined)
    } finally {
      reading = false
    }
  }

  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        void read()
        while (waiting.size === 0 && ending === undefined) {
          await new Promise<void>((resolve) => {
            wake = resolve
          })
        }
        // Pieces may come one by one: whoever reads the whole answer would keep each of them.
        if (ending === undefined) await new Promise((resolve) => setImmediate(resolve))
        if (waiting.size > 0) controller.enqueue(waiting.take())
        else if (ending && 'error' in ending) controller.error(ending.error)
        else controller.close()
      },
      cancel: (reason) => source.cancel(reason),
    },
    { highWaterMark: 0 },
  )
}
