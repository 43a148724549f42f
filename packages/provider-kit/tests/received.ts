import type { ByteReceiver, ProviderError } from '@trivium/gateway-core/ports'
import { latch } from '../../gateway-core/tests/provider-calls.ts'

export interface Received {
  readonly receiver: ByteReceiver
  readonly chunks: readonly Uint8Array[]
  /** Settles with the way in which the body ended. */
  readonly ended: Promise<'complete' | ProviderError>
  /** Settles when the first bytes have come. */
  readonly begun: Promise<void>
  readonly bytes: () => Buffer
  /** Whether anything was called after the end. */
  readonly calledTooLate: () => boolean
}

/** @param accepts what `data` answers */
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
