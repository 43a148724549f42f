import { validateHeaderName, validateHeaderValue } from 'node:http'
import { JSON_TYPE, noSniffing, type Reply, releaseReply } from '@trivium/http-contract'
import { writeReply } from '@trivium/http-contract/node'
import type { FastifyReply } from 'fastify'

/**
 * Sends a reply through Fastify, so that the host's `onSend` hooks get it. Streams bypass these hooks, because hooks
 * may collect or transform events that must be sent one by one. Headers that hooks have set are kept.
 */
export function sendReply(reply: FastifyReply, answer: Reply, fail: (error: unknown) => Reply): void {
  if (answer.kind === 'stream' || answer.kind === 'relay') {
    reply.hijack()
    for (const [name, value] of Object.entries(reply.getHeaders())) {
      if (value !== undefined) reply.raw.setHeader(name, value)
    }
    writeReply(reply.raw, answer, fail)
    return
  }
  let payload: Payload
  try {
    checkHeaders(answer)
    payload = payloadOf(answer)
  } catch (error) {
    sendFailure(reply, fail(error))
    return
  }
  send(reply, answer, payload)
}

type Whole = Exclude<Reply, { kind: 'stream' | 'relay' }>
type Payload = string | Uint8Array | undefined

function sendFailure(reply: FastifyReply, failure: Reply): void {
  const fallback: Whole = { kind: 'empty', status: 500, headers: {} }
  if (failure.kind === 'stream' || failure.kind === 'relay') {
    releaseReply(failure)
    send(reply, fallback, undefined)
    return
  }
  try {
    checkHeaders(failure)
    send(reply, failure, payloadOf(failure))
  } catch {
    send(reply, fallback, undefined)
  }
}

function send(reply: FastifyReply, { status, headers, kind }: Whole, payload: Payload): void {
  reply.code(status)
  if (kind === 'json' && payload !== undefined) reply.header('content-type', JSON_TYPE)
  if (kind !== 'empty') reply.headers(noSniffing)
  for (const name in headers) reply.header(name, headers[name])
  if (typeof payload === 'string') reply.serializer(asIs)
  reply.send(payload)
}

// Without a serializer of its own, Fastify adds a charset to every content type of JSON.
const asIs = (payload: unknown): string => String(payload)

function payloadOf(answer: Whole): Payload {
  if (answer.kind === 'empty') return undefined
  return answer.kind === 'json' ? JSON.stringify(answer.value) : answer.value
}

// Fastify would detect an error too late to send another answer.
function checkHeaders({ status, headers }: Whole): void {
  if (!(status >= 200 && status <= 599)) throw new RangeError(`${status} is not a valid status of a reply`)
  for (const name in headers) {
    if (!validNames.has(name)) checkName(name)
    validateHeaderValue(name, headers[name] ?? '')
  }
}

/** Names that were valid before: nearly all replies have the same few. */
const validNames = new Set<string>()
const MAX_VALID_NAMES = 1_000

function checkName(name: string): void {
  validateHeaderName(name)
  if (validNames.size < MAX_VALID_NAMES) validNames.add(name)
}
