import { err, ok, type Result, ResultAsync } from 'neverthrow'
import type { GatewayCall } from '../caller.ts'
import type { JsonObject } from '../dialects/dialect.ts'
import type { EndpointCalls, EndpointError, EndpointReply, EndpointRequest } from '../endpoints/endpoint-calls.ts'
import { usageIn } from '../endpoints/endpoint-usage.ts'
import { jsonBody } from '../endpoints/json-body.ts'
import { type AnswerLookupParts, createAnswerLookup } from './answer-lookup.ts'
import { type CacheControl, cacheControlOf } from './cache-control.ts'
import { isCacheable } from './cacheable-request.ts'

const encoder = new TextEncoder()

/** Makes calls of endpoints that answer a request for embeddings again with the answer to an equal one. */
export function cachedEmbeddings(service: EndpointCalls, parts: AnswerLookupParts): EndpointCalls {
  const lookup = createAnswerLookup(parts)

  const keep = (key: string, reply: EndpointReply): void => {
    if (reply.kind !== 'whole' || reply.bytes.length > parts.maxAnswerBytes) return
    const json = textOf(reply.bytes)
    if (json === undefined || !usageIn(reply.bytes)) return
    parts.answers.save(key, { provider: reply.provider, omitted: [], json })
  }

  const send = async (
    call: GatewayCall,
    request: EndpointRequest,
    { model, value, control }: Cacheable,
  ): Promise<Result<EndpointReply, EndpointError>> => {
    const looked = await lookup.find(call, {
      operation: 'embeddings',
      model,
      kind: 'embedding',
      body: value,
      headers: request.headers,
      control,
    })
    if (looked.isErr()) return err(looked.error)
    const { key, answer } = looked.value
    if (answer) {
      lookup.record(call, 'embedding', model, false)
      const { provider, json } = answer
      return ok({ kind: 'whole', provider, headers: {}, contentType: 'application/json', bytes: encoder.encode(json) })
    }
    if (key === undefined) return service.send(call, request)
    // Without the client's own bytes: with duplicate members they could mean another request than the key.
    const sent = await service.send(call, { ...request, body: jsonBody({ value, raw: undefined }) })
    if (sent.isOk()) keep(key, sent.value)
    return sent
  }

  return {
    send(call, request) {
      const cacheable = cacheableOf(request)
      return cacheable ? new ResultAsync(send(call, request, cacheable)) : service.send(call, request)
    },
  }
}

interface Cacheable {
  readonly model: string
  readonly value: JsonObject
  readonly control: CacheControl
}

function cacheableOf({ endpoint, model, value, clientHeaders }: EndpointRequest): Cacheable | undefined {
  if (endpoint !== 'embeddings' || model === undefined || !value) return undefined
  const control = isCacheable('embeddings', value, undefined) ? cacheControlOf(clientHeaders) : undefined
  return control && { model, value, control }
}

/** Upstreams may send what is not UTF-8, which stores of texts refuse. */
function textOf(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}
