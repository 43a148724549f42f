import { encodedJson, type Relay, relay } from '@trivium/http-contract'
import type { GatewayCall } from '../../caller.ts'
import type { EndpointReply } from '../../endpoints/endpoint-calls.ts'
import { answerHeaders } from '../access/answer-headers.ts'
import { upstreamHeaders } from '../chat/upstream-headers.ts'

/** Prevent a browser from running an answer as a document or a script. */
const safetyHeaders = {
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; sandbox",
}

/** Returns the headers of an answer that is relayed in any content type. */
const headersOf = (call: GatewayCall, now: Date, { provider, headers, contentType }: EndpointReply) =>
  answerHeaders(call, now, {
    ...upstreamHeaders({ provider, omitted: [], headers }),
    ...safetyHeaders,
    ...(contentType.startsWith('text/event-stream')
      ? { 'cache-control': 'no-cache, no-transform', 'x-accel-buffering': 'no' }
      : {}),
    'content-type': contentType,
  })

/** Answers with bytes, whole or as they arrive, for operations that declare `bytes`. */
export const bytesAnswer = (call: GatewayCall, now: Date, reply: EndpointReply) => ({
  status: 200 as const,
  headers: headersOf(call, now, reply),
  body: reply.kind === 'whole' ? reply.bytes : relayOf(reply),
})

/** Answers with JSON. A reply to a request that is not streamed is whole. */
export const wholeAnswer = (call: GatewayCall, now: Date, reply: EndpointReply) => ({
  status: 200 as const,
  headers: answerHeaders(call, now, upstreamHeaders({ provider: reply.provider, omitted: [], headers: reply.headers })),
  body: encodedJson(reply.kind === 'whole' ? reply.bytes : '{}'),
})

export const relayOf = (reply: Extract<EndpointReply, { readonly kind: 'stream' }>): Relay =>
  relay(
    (sink) => reply.attach(sink),
    () => reply.cancel(),
  )
