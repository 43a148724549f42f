import { type Relay, relay } from '@trivium/http-contract'
import type { Streamed } from '../../dialects/answering/answering.ts'

/** Makes the body of an answer from a stream. */
export const relayOf = (streamed: Pick<Streamed, 'attach' | 'cancel'>): Relay =>
  relay(
    (sink) => streamed.attach(sink),
    () => streamed.cancel(),
  )
