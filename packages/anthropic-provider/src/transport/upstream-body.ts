import { ByteCollector, type ProviderErrorInit, ProviderFailure } from '@trivium/gateway-core/ports'

/** What the connection does for a body. */
export interface BodyFlow {
  pause(): void
  resume(): void
  abort(): void
}

/** The bytes of an answer, pulled. Iterated once; `cancel` frees the connection even while a `next` is pending. */
export interface UpstreamBody extends AsyncIterableIterator<Uint8Array> {
  cancel(): void
}

/** The same body from the connection's side. */
export interface BodySink {
  readonly body: UpstreamBody
  push(chunk: Uint8Array): void
  end(): void
  fail(failure: ProviderErrorInit): void
}

/** What may wait to be pulled before the flow is stopped. */
const MAX_WAITING_BYTES = 65_536

interface Pull {
  readonly resolve: (result: IteratorResult<Uint8Array>) => void
  readonly reject: (error: Error) => void
}

export function upstreamBody(flow: BodyFlow): BodySink {
  const waiting = new ByteCollector()
  let pull: Pull | undefined
  let ending: 'complete' | ProviderErrorInit | undefined
  let begun = false

  const settle = ({ resolve, reject }: Pull): void => {
    if (waiting.size > 0) {
      const value = waiting.take()
      if (ending === undefined) flow.resume()
      resolve({ done: false, value })
    } else if (ending === 'complete') resolve({ done: true, value: undefined })
    else if (ending) reject(new ProviderFailure({ ...ending, beforeFirstByte: !begun }))
    else pull = { resolve, reject }
  }
  const wake = (): void => {
    const waiter = pull
    pull = undefined
    if (waiter) settle(waiter)
  }
  const end = (how: 'complete' | ProviderErrorInit): void => {
    ending ??= how
    wake()
  }
  const cancel = (): void => {
    if (ending === undefined) flow.abort()
    waiting.take()
    end('complete')
  }

  const body: UpstreamBody = {
    next: () => new Promise((resolve, reject) => settle({ resolve, reject })),
    return: async () => {
      cancel()
      return { done: true, value: undefined }
    },
    cancel,
    [Symbol.asyncIterator]: () => body,
  }
  return {
    body,
    push: (chunk) => {
      if (ending !== undefined) return
      begun = true
      waiting.add(chunk)
      if (waiting.size > MAX_WAITING_BYTES) flow.pause()
      wake()
    },
    end: () => end('complete'),
    fail: (failure) => {
      if (ending !== undefined) return
      flow.abort()
      end(failure)
    },
  }
}
