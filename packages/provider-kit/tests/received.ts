import type { ByteReceiver, ProviderError } from '@trivium/gateway-core/ports'
import { latch } from '../../gateway-core/tests/provider-calls.ts'

export interface Received {
  readonly receiver: ByteReceiver
  readonly chunks: readonly Uint8Array[]
  /** Resolves with the way in which the body ended. */
  readonly ended: Promise<'complete' | ProviderError>
  /** Resolves when the first bytes have arrived. */
  readonly begun: Promise<void>
  readonly bytes: () => Buffer
  /** Whether a method was called after the end. */
  readonly calledTooLate: () => boolean
}

/** Creates a receiver that records its calls. @param accepts returns the result of `data` @default true */
export function received(accepts: () => boolean = () => true): Received {
  const chunks: Uint8Array[] = []
  const end = latch<'complete' | ProviderError>()
  const begin = latch<void>()
  let over = false
  let late = false
  const settle = (outcome: 'complete' | ProviderError) => {
    late ||= over
    over = true
    end.resolve(outcome)
  }
  return {
    chunks,
    ended: end.promise,
    begun: begin.promise,
    bytes: () => Buffer.concat(chunks),
    calledTooLate: () => late,
    receiver: {
      data: (bytes) => {
        late ||= over
        chunks.push(bytes)
        begin.resolve()
        return accepts()
      },
      end: () => settle('complete'),
      failed: settle,
    },
  }
}
