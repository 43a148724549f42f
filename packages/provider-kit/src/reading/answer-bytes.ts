import {
  ByteCollector,
  type ByteReceiver,
  type ByteSource,
  type ProviderError,
  ProviderFailure,
} from '@trivium/gateway-core/ports'
import type { UpstreamAnswer } from '../calls/upstream-answer.ts'

/**
 * An iterator over the bytes of an answer. Iterate it once. `cancel` frees the connection even while a `next` is
 * pending.
 */
export interface AnswerBytes extends AsyncIterableIterator<Uint8Array> {
  /** Ends the call, drops the bytes that wait, and ends a pending `next` as done. Ignored after the end. */
  cancel(): void
}

/** The most bytes that wait to be read before the flow is paused. */
const MAX_WAITING_BYTES = 65_536

interface Pull {
  readonly resolve: (result: IteratorResult<Uint8Array>) => void
  readonly reject: (error: Error) => void
}

/**
 * Converts the pushed body of an answer to an iterator, such as for a stream that is translated. If the body does not
 * end properly, the iterator throws a `ProviderFailure` after all bytes that have arrived.
 */
export function answerBytes({ start }: UpstreamAnswer): AnswerBytes {
  const waiting = new ByteCollector()
  let source: ByteSource | undefined
  let pull: Pull | undefined
  let ending: 'complete' | ProviderError | undefined

  const settle = ({ resolve, reject }: Pull): void => {
    if (waiting.size > 0) {
      const value = waiting.take()
      source?.resume()
      resolve({ done: false, value })
    } else if (ending === 'complete') resolve({ done: true, value: undefined })
    else if (ending) reject(new ProviderFailure(ending))
    else pull = { resolve, reject }
  }
  const wake = (): void => {
    const waiter = pull
    pull = undefined
    if (waiter) settle(waiter)
  }
  const end = (how: 'complete' | ProviderError): void => {
    ending ??= how
    wake()
  }
  const receiver: ByteReceiver = {
    data: (bytes) => {
      waiting.add(bytes)
      wake()
      return waiting.size <= MAX_WAITING_BYTES
    },
    end: () => end('complete'),
    failed: end,
  }
  const cancel = (): void => {
    source ??= start(receiver)
    source.cancel()
    waiting.take()
    end('complete')
  }

  const bytes: AnswerBytes = {
    next: () =>
      new Promise((resolve, reject) => {
        source ??= start(receiver)
        settle({ resolve, reject })
      }),
    return: async () => {
      cancel()
      return { done: true, value: undefined }
    },
    cancel,
    [Symbol.asyncIterator]: () => bytes,
  }
  return bytes
}
