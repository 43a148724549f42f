import { upstreamSecrets } from '@trivium/gateway-core/ports'
import { type Dispatcher, Pool } from 'undici'
import { readAnswer, readExcerpt } from './read-answer.ts'
import { type Refusal, type RefusalOptions, refusal } from './refusal.ts'
import { callUpstream, type UpstreamAnswer } from './upstream-call.ts'

export interface UpstreamOptions {
  readonly baseUrl: string
  readonly apiKey?: string | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly dispatcher?: Dispatcher | undefined
  readonly maxAnswerBytes: number
  readonly now: () => Date
}

interface UpstreamRequest {
  readonly path: `/${string}`
  /** A POST of JSON; without it a GET. */
  readonly body?: Uint8Array
  readonly accept?: string
}

/** What one call is allowed. */
export interface CallContext {
  readonly signal: AbortSignal
  readonly connectTimeoutMs: number
  readonly headers: Readonly<Record<string, string>>
  readonly requestId?: string
}

export interface Upstream extends RefusalOptions {
  /** The answer, whatever its status. Nothing is followed, decoded or repeated. */
  call(request: UpstreamRequest, context: CallContext): Promise<UpstreamAnswer>
  /** The body of a good answer. @throws ProviderFailure for any other */
  read(request: UpstreamRequest, context: CallContext): Promise<Uint8Array>
  /** What an answer that is not good says. */
  refusalOf(answer: UpstreamAnswer): Promise<Refusal>
  close(): Promise<void>
}

const MAX_ERROR_BYTES = 65_536

/** @throws TypeError where the base URL is none */
export function upstream({ baseUrl, apiKey, headers, dispatcher, maxAnswerBytes, now }: UpstreamOptions): Upstream {
  const { origin, pathname, protocol } = new URL(baseUrl)
  if (protocol !== 'http:' && protocol !== 'https:') throw new TypeError(`'${protocol}' is no protocol of an upstream`)
  const prefix = pathname.replace(/\/+$/, '')
  const pool = dispatcher ?? new Pool(origin, { allowH2: false, pipelining: 1, keepAliveTimeout: 30_000 })
  const own: Record<string, string | undefined> = {
    'accept-encoding': 'identity',
    'user-agent': 'trivium',
    authorization: apiKey === undefined ? undefined : `Bearer ${apiKey}`,
    cookie: undefined,
    ...lowerCase(headers ?? {}),
  }
  const sent = { ...own, 'content-type': 'application/json' }
  const headersOf = (hasBody: boolean, accept: string, { headers, requestId }: CallContext) => ({
    ...headers,
    ...(hasBody ? sent : own),
    accept,
    'x-request-id': requestId,
  })
  const secrets = upstreamSecrets(apiKey, headers)

  const call: Upstream['call'] = ({ path, body, accept = 'application/json' }, context) =>
    callUpstream(
      pool,
      {
        origin,
        path: prefix + path,
        method: body ? 'POST' : 'GET',
        body: body ?? null,
        headers: headersOf(body !== undefined, accept, context),
      },
      { signal: context.signal, connectTimeoutMs: context.connectTimeoutMs, maxAnswerBytes },
    )

  const refusalOf: Upstream['refusalOf'] = async (answer) => ({
    status: answer.status,
    headers: answer.headers,
    text: await readExcerpt(answer, MAX_ERROR_BYTES),
  })

  return {
    secrets,
    now,
    call,
    refusalOf,
    read: async (request, context) => {
      const answer = await call(request, context)
      if (!isGood(answer)) throw refusal(await refusalOf(answer), { secrets, now })
      return readAnswer(answer)
    },
    close: async () => {
      if (!dispatcher) await pool.destroy()
    },
  }
}

export const isGood = ({ status }: UpstreamAnswer): boolean => status >= 200 && status < 300

/** Frees the connection of an answer that nobody reads. */
export function discard({ start }: UpstreamAnswer): void {
  start({ data: () => false, end: () => {}, failed: () => {} }).cancel()
}

const lowerCase = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
