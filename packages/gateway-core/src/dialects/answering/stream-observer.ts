import type { ByteReceiver, ByteSource } from '../../providers/provider.ts'

/** Reads a stream in the dialect of its client, with the events that the client does not get. Its methods never throw. */
export interface StreamObserver {
  data(bytes: Uint8Array): void
  /** Called once after the last byte of a complete answer. */
  complete(): void
}

/** Returns a source that an observer reads, too. */
export const observedStart =
  (start: (receiver: ByteReceiver) => ByteSource, observer: StreamObserver) =>
  (receiver: ByteReceiver): ByteSource =>
    start({
      data(bytes) {
        observer.data(bytes)
        return receiver.data(bytes)
      },
      end: () => receiver.end(),
      failed: (error) => receiver.failed(error),
    })

/** Returns an observer of which each of two gets the stream. */
export const bothObservers = (one: StreamObserver, other: StreamObserver | undefined): StreamObserver =>
  other
    ? {
        data(bytes) {
          one.data(bytes)
          other.data(bytes)
        },
        complete() {
          one.complete()
          other.complete()
        },
      }
    : one
