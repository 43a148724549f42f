import type { InferInput, InferOutput } from 'valibot'
import type { GatewayCall } from '../../caller.ts'
import { isObject } from '../../chat/is-object.ts'
import { parseJson } from '../../chat/parse-json.ts'
import type { EndpointReply, EndpointRequest } from '../../endpoints/endpoint-calls.ts'
import { jsonBody } from '../../endpoints/json-body.ts'
import type { ImageTraits } from '../../images/image-family.ts'
import { imageFormOf } from '../../images/image-form.ts'
import { answerHeaders } from '../access/answer-headers.ts'
import { upstreamHeaders } from '../chat/upstream-headers.ts'
import { relayOf } from '../endpoints/endpoint-answer.ts'
import type { imageEventSchema, imageRequestSchema } from './image-schema.ts'

const decoder = new TextDecoder()

/** The request for a stream, in the client's own bytes. Models that stream have no other form than data. */
export const imageStreamRequest = (
  value: InferOutput<typeof imageRequestSchema>,
  raw: Uint8Array | undefined,
  { model }: ImageTraits,
): EndpointRequest => ({
  endpoint: 'image-generations',
  model,
  body: jsonBody({ value, raw }, 'response_format' in value ? { response_format: undefined } : {}),
  value,
  streamed: true,
  images: value.n ?? 1,
  imageForm: imageFormOf(value),
  endUserIn: value,
  texts: { prompt: value.prompt },
  timeoutSeconds: value.timeout ?? undefined,
})

/** Answers with the events as they arrive. A whole answer to a streamed request becomes its last events. */
export const imageStreamAnswer = (call: GatewayCall, now: Date, reply: EndpointReply) => ({
  status: 200 as const,
  headers: answerHeaders(call, now, upstreamHeaders({ provider: reply.provider, omitted: [], headers: reply.headers })),
  body: reply.kind === 'stream' ? relayOf(reply) : completedEvents(reply.bytes),
})

async function* completedEvents(bytes: Uint8Array): AsyncGenerator<InferInput<typeof imageEventSchema>, void> {
  const answer = parseJson(decoder.decode(bytes))
  const { data, created, usage, ...report } = isObject(answer) ? answer : {}
  const images: readonly unknown[] = Array.isArray(data) ? data : []
  for (const [index, image] of images.entries()) {
    const isLast = index === images.length - 1
    const own = isObject(image) ? image : {}
    yield { ...report, ...own, type: 'image_generation.completed', created_at: created, ...(isLast && { usage }) }
  }
}

/** The name of an event, which is its type. */
export const imageEventName = (event: unknown): string | undefined =>
  isObject(event) && typeof event.type === 'string' ? event.type : undefined
