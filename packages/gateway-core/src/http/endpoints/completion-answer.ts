import { encodedJson } from '@trivium/http-contract'
import type { InferInput } from 'valibot'
import type { GatewayCall } from '../../caller.ts'
import { parseJson } from '../../chat/parse-json.ts'
import type { EndpointReply } from '../../endpoints/endpoint-calls.ts'
import { answerHeaders } from '../access/answer-headers.ts'
import { upstreamHeaders } from '../chat/upstream-headers.ts'
import type { completionChunkSchema } from './completion-schema.ts'
import { relayOf } from './endpoint-answer.ts'

const decoder = new TextDecoder()

/** Answers with a whole completion, or with its events. A whole answer to a streamed request becomes one event. */
export function completionAnswer(isStream: boolean) {
  return (call: GatewayCall, now: Date, reply: EndpointReply) => {
    const headers = answerHeaders(
      call,
      now,
      upstreamHeaders({ provider: reply.provider, omitted: [], headers: reply.headers }),
    )
    if (reply.kind === 'stream') return { status: 200 as const, headers, body: relayOf(reply) }
    if (isStream) return { status: 200 as const, headers, body: eventOf(reply.bytes) }
    return { status: 200 as const, headers, body: encodedJson(reply.bytes) }
  }
}

/** A completion has the members of its only chunk. The provider has checked that it is JSON. */
async function* eventOf(bytes: Uint8Array): AsyncGenerator<InferInput<typeof completionChunkSchema>> {
  yield parseJson(decoder.decode(bytes)) as InferInput<typeof completionChunkSchema>
}
