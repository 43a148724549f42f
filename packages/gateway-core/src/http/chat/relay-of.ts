import { type Relay, relay } from '@trivium/http-contract'
import type { Streamed } from '../../dialects/answering/answering.ts'

/** Makes the body of an answer from a stream. */
export const relayOf = (streamed: Streamed): Relay =>
  relay(
    (sink) => streamed.attach(sink),
    () => streamed.cancel(),
  )
