import { ByteCollector, ProviderFailure, upstreamSecrets } from '@trivium/gateway-core/ports'
import { type Dispatcher, Pool } from 'undici'
import { type RefusalOptions, refusal } from '../answers/refusal.ts'
import { callUpstream } from './call-upstream.ts'
import type { UpstreamBody } from './upstream-body.ts'

export interface MessagesUpstreamOptions extends Pick<RefusalOptions, 'now'> {
  readonly baseUrl: string
  readonly apiKey?: string | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly dispatcher?: Dispatcher | undefined
  readonly maxAnswerBytes: number
}

interface CallContext {
  readonly signal: AbortSignal
  readonly connectTimeoutMs: number
  readonly headers: Readonly<Record<string, string>>
  readonly requestId?: string
}

/** An answer with a good status. Read either way, once. */
interface GoodAnswer {
  readonly headers: Readonly<Record<string, string>>
  readonly isEventStream: boolean
  readonly body: UpstreamBody
  readonly text: () => Promise<string>
}

/** Calls that answer well; any other answer is a ProviderFailure. */
export interface MessagesUpstream extends RefusalOptions {
  get(path: string, context: CallContext): Promise<GoodAnswer>
  post(path: string, body: object, context: CallContext): Promise<GoodAnswer>
  close(): Promise<void>
}

const MAX_ERROR_BYTES = 65_536

export function messagesUpstream({
  baseUrl,
  apiKey,
  headers = {},
  dispatcher,
  maxAnswerBytes,
  now,
}: MessagesUpstreamOptions): MessagesUpstream {
  const { origin, pathname, protocol } = new URL(baseUrl)
  if (protocol !== 'http:' && protocol !== 'https:') throw new TypeError(`'${protocol}' is no protocol of an upstream`)
  const prefix = pathname.replace(/\/+$/, '').replace(/\/v1$/, '')
  const pool = dispatcher ?? new Pool(origin, { allowH2: false, pipelining: 1, keepAliveTimeout: 30_000 })
  const own: Record<string, string | undefined> = {
    accept: 'application/json, text/event-stream',
    'accept-encoding': 'identity',
    'anthropic-version': '2023-06-01',
    'user-agent': 'trivium',
    'x-api-key': apiKey,
    authorization: undefined,
    cookie: undefined,
    ...Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])),
  }
  const secrets = upstreamSecrets(apiKey, headers)

  async function call(path: string, body: string | undefined, context: CallContext): Promise<GoodAnswer> {
    const { signal, connectTimeoutMs, requestId } = context
    const answer = await callUpstream(
      pool,
      {
        origin,
        path: prefix + path,
        method: body === undefined ? 'GET' : 'POST',
        body: body ?? null,
        headers: {
          ...context.headers,
          ...own,
          'content-type': body === undefined ? undefined : 'application/json',
          'x-request-id': requestId,
        },
      },
      { signal, connectTimeoutMs, maxAnswerBytes },
    )
    const { status } = answer
    if (status < 200 || status >= 300) {
      const text = await excerpt(answer.body, MAX_ERROR_BYTES)
      throw refusal({ status, headers: answer.headers, text }, { secrets, now })
    }
    if ((answer.headers['content-encoding'] ?? 'identity') !== 'identity') {
      answer.body.cancel()
      throw new ProviderFailure({
        type: 'malformed',
        message: 'The upstream compressed its answer although it was asked not to.',
      })
    }
    return {
      headers: answer.headers,
      isEventStream: answer.contentType.startsWith('text/event-stream'),
      body: answer.body,
      text: () => whole(answer.body),
    }
  }

  return {
    secrets,
    now,
    get: (path, context) => call(path, undefined, context),
    post: (path, body, context) => call(path, JSON.stringify(body), context),
    close: async () => {
      if (!dispatcher) await pool.destroy()
    },
  }
}

async function whole(body: UpstreamBody): Promise<string> {
  const collector = new ByteCollector()
  for await (const chunk of body) collector.add(chunk)
  return new TextDecoder().decode(collector.take())
}

/** The beginning of a body; a failure is its end. */
async function excerpt(body: UpstreamBody, limit: number): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  try {
    for await (const chunk of body) {
      text += decoder.decode(chunk, { stream: true })
      if (text.length >= limit) break
    }
  } catch (error) {
    if (!ProviderFailure.is(error)) throw error
  }
  return text.slice(0, limit)
}
