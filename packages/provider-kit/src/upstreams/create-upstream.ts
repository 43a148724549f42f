import type { ProviderContext, ProviderFailure } from '@trivium/gateway-core/ports'
import { type Dispatcher, Pool } from 'undici'
import { type Refusal, type RefusalOptions, refusal } from '../answers/refusal.ts'
import { upstreamSecrets } from '../answers/upstream-secrets.ts'
import { isGood, type UpstreamAnswer } from '../calls/upstream-answer.ts'
import { callUpstream } from '../calls/upstream-call.ts'
import { readExcerpt } from '../reading/read-answer.ts'
import { CONNECT_TIMEOUT_MS, connectionOptions, MAX_ANSWER_BYTES } from './connection-options.ts'

/** Which server is called, and with which headers. Only `baseUrl` and `wordsIn` are needed. */
export interface UpstreamOptions {
  /** With the path that all others begin with: `https://api.example/v1`. No other origin is ever called. */
  readonly baseUrl: string
  /**
   * Of every request, in any case; where two names differ by their case alone the later one counts. Values of names that
   * speak of credentials (`authorization`, `x-api-key`) are its {@link Upstream.secrets}.
   */
  readonly headers?: Readonly<Record<string, string | undefined>>
  /** Where a refusal says what. */
  readonly wordsIn: RefusalOptions['wordsIn']
  /** The most bytes of one answer, streams included; a larger one is `malformed`. @default 128 MiB */
  readonly maxAnswerBytes?: number
  /** Sends the requests: a proxy agent, or one that trusts a private authority. @default a pool of its own */
  readonly dispatcher?: Dispatcher | undefined
  /** @default the system's clock */
  readonly now?: () => Date
}

/** One request to an upstream. */
export interface UpstreamRequest {
  /** Below the base URL, with its query. */
  readonly path: `/${string}`
  /** A POST of JSON; without it a GET. */
  readonly body?: Uint8Array | string
  /** @default 'application/json' */
  readonly accept?: string
}

/**
 * What one call is allowed: the context of a provider's method, or a part of it. The connect timeout is kept here, 10
 * seconds by default. The times for a first byte, for silence and for the whole are the signal's: the gateway aborts it.
 */
export type CallContext = Pick<ProviderContext, 'signal'> & Partial<ProviderContext>

/** A server that is called with the gateway's own credentials. Nothing is followed, decoded or repeated. */
export interface Upstream {
  /** What no client may see: for the `secrets` of an encoded stream. */
  readonly secrets: readonly string[]
  /** The answer, regardless of its status. @throws ProviderFailure where none comes */
  call(request: UpstreamRequest, context: CallContext): Promise<UpstreamAnswer>
  /** The answer, where its status is good. @throws ProviderFailure for any other, and where none comes */
  ask(request: UpstreamRequest, context: CallContext): Promise<UpstreamAnswer>
  /** What an answer says that is not good: at most 64 KiB of its body are read. */
  refusalOf(answer: UpstreamAnswer): Promise<Refusal>
  /** What a client gets of a refusal. */
  failureOf(refusal: Refusal): ProviderFailure
  /** Frees the connections of its own pool. Answers that still run are cut. */
  close(): Promise<void>
}

const MAX_ERROR_BYTES = 65_536

/**
 * Calls one server over one pool. Connections are made with the first call.
 *
 * @throws TypeError where the base URL is not one of http or https
 */
export function createUpstream({
  baseUrl,
  headers = {},
  wordsIn,
  maxAnswerBytes = MAX_ANSWER_BYTES,
  dispatcher,
  now = () => new Date(),
}: UpstreamOptions): Upstream {
  const { origin, pathname, protocol } = new URL(baseUrl)
  if (protocol !== 'http:' && protocol !== 'https:')
    throw new TypeError(`'${protocol}' is not a protocol of an upstream`)
  const prefix = pathname.replace(/\/+$/, '')
  const pool = dispatcher ?? new Pool(origin, connectionOptions)
  const own: Readonly<Record<string, string | undefined>> = {
    'accept-encoding': 'identity',
    'user-agent': 'trivium',
    authorization: undefined,
    cookie: undefined,
    ...lowerCase(headers),
  }
  const sent = { ...own, 'content-type': 'application/json' }
  const secrets = upstreamSecrets(own)

  const call: Upstream['call'] = ({ path, body, accept = 'application/json' }, context) =>
    callUpstream(
      pool,
      {
        origin,
        path: prefix + path,
        method: body === undefined ? 'GET' : 'POST',
        body: body ?? null,
        headers: {
          ...context.headers,
          ...(body === undefined ? own : sent),
          accept,
          'x-request-id': context.requestId,
        },
      },
      { signal: context.signal, connectTimeoutMs: context.connectTimeoutMs ?? CONNECT_TIMEOUT_MS, maxAnswerBytes },
    )

  const refusalOf: Upstream['refusalOf'] = async (answer) => ({
    status: answer.status,
    headers: answer.headers,
    text: await readExcerpt(answer, MAX_ERROR_BYTES),
  })

  const failureOf: Upstream['failureOf'] = (refused) => refusal(refused, { secrets, wordsIn, now })

  return {
    secrets,
    call,
    refusalOf,
    failureOf,
    ask: async (request, context) => {
      const answer = await call(request, context)
      if (isGood(answer)) return answer
      throw failureOf(await refusalOf(answer))
    },
    close: async () => {
      if (!dispatcher) await pool.destroy()
    },
  }
}

const lowerCase = (headers: Readonly<Record<string, string | undefined>>): Record<string, string | undefined> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
