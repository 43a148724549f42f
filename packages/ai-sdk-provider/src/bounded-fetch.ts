import { ByteCollector, ProviderFailure } from '@trivium/gateway-core/ports'
import { upstreamFailures } from '@trivium/provider-kit/answers'

/** Options of {@link boundedFetch}. */
export interface BoundedFetchOptions {
  /** The most bytes of one answer, including streams. @default 128 MiB */
  readonly maxAnswerBytes?: number
  /** Sends the requests. @default the platform's `fetch` */
  readonly fetch?: typeof globalThis.fetch
}

/** The most bytes that wait for a reader before the upstream is paused. */
const MAX_WAITING_BYTES = 65_536

/**
 * Creates a `fetch` for the AI SDK's providers, whose own has no limits. It follows no redirects, refuses compressed
 * answers, and cuts off an answer that is too large. The last two fail with a `ProviderFailure` of type `malformed`; a
 * redirect is returned as it is.
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

/** Passes at most `limit` bytes on, and joins small chunks. */
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
        // Small chunks are collected, because a reader of the whole answer would keep each of them.
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
