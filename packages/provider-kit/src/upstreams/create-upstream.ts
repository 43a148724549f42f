import '#supported-node'
import { Readable } from 'node:stream'
import { checkRange, type ProviderContext, type ProviderFailure } from '@trivium/gateway-core/ports'
import { type Dispatcher, Pool } from 'undici'
import { type Refusal, type RefusalOptions, refusal } from '../answers/refusal.ts'
import { upstreamSecrets } from '../answers/upstream-secrets.ts'
import { isSuccess, type UpstreamAnswer } from '../calls/upstream-answer.ts'
import { callUpstream } from '../calls/upstream-call.ts'
import { readExcerpt } from '../reading/read-answer.ts'
import { CONNECT_TIMEOUT_MS, connectionOptions, MAX_ANSWER_BYTES } from './connection-options.ts'
import { usableDispatcher } from './usable-dispatcher.ts'

/** Options of {@link createUpstream}. Only `baseUrl` and `errorIn` are required. */
export interface UpstreamOptions {
  /** The URL with the prefix of all paths, such as `https://api.example/v1`. No other origin is called. */
  readonly baseUrl: string
  /**
   * Headers of every request, in any case. If two names differ only in case, the later one is used. Values of names
   * that indicate credentials (`authorization`, `x-api-key`) are its {@link Upstream.secrets}. @default none
   */
  readonly headers?: Readonly<Record<string, string | undefined>>
  /** Finds the error in the parsed body of a refusal. */
  readonly errorIn: RefusalOptions['errorIn']
  /** The most bytes of one answer, including streams, at least 1. A larger one is `malformed`. @default 128 MiB */
  readonly maxAnswerBytes?: number
  /** Sends the requests, such as a proxy agent or one that trusts a private authority. @default a pool of its own */
  readonly dispatcher?: Dispatcher | undefined
  /** The current time, for a `retry-after` that is a date. @default the system's clock */
  readonly now?: () => Date
}

/** One request to an upstream. */
export interface UpstreamRequest {
  /** The path below the base URL, with its query. */
  readonly path: `/${string}`
  /** @default 'POST' with a body, otherwise 'GET' */
  readonly method?: 'GET' | 'POST' | 'DELETE'
  /**
   * The body, encoded. A stream is sent as it is read, and its iterator is closed if the request fails after it began.
   * What the stream throws ends the request: unchanged if it is a `ProviderFailure`, otherwise as interrupted.
   *
   * @default no body
   */
  readonly body?: Uint8Array | string | AsyncIterable<Uint8Array>
  /** The `content-type` of the body. @default 'application/json' */
  readonly contentType?: string
  /** The `accept` header, which overrides that of the options. @default 'application/json' */
  readonly accept?: string
  /** Further headers, names in lower case. They override those of the options, so they must not be a client's choice. @default none */
  readonly headers?: Readonly<Record<string, string>>
}

/**
 * The context of a provider's method, or a part of it. The call enforces the connect timeout, 10 seconds by default.
 * The timeouts for the first byte, for silence and for the whole answer are enforced by the gateway, which aborts the
 * signal.
 */
export type CallContext = Pick<ProviderContext, 'signal'> & Partial<ProviderContext>

/**
 * A server that is called with the gateway's own credentials. Redirects are not followed, answers not decompressed,
 * requests not retried.
 */
export interface Upstream {
  /** Texts that clients must not get, for the `secrets` of an encoded stream. Headers of answers have `***` in their place. */
  readonly secrets: readonly string[]
  /** Resolves with the answer, regardless of its status. Rejects with `ProviderFailure` if none arrives. */
  call(request: UpstreamRequest, context: CallContext): Promise<UpstreamAnswer>
  /**
   * Resolves with an answer whose status is 200 to 299. Rejects with `ProviderFailure` for any other, or if none
   * arrives.
   */
  ask(request: UpstreamRequest, context: CallContext): Promise<UpstreamAnswer>
  /** Reads an answer with another status. At most 64 KiB of its body are read. */
  refusalOf(answer: UpstreamAnswer): Promise<Refusal>
  /** Converts a refusal to the failure for the client, without secrets. */
  failureOf(refusal: Refusal): ProviderFailure
  /** Closes the connections of its own pool. Incomplete answers are cut off. A dispatcher of the host stays open. */
  close(): Promise<void>
}

const MAX_ERROR_BYTES = 65_536
const JSON_TYPE = 'application/json'

/**
 * Creates an upstream, which calls one server over one pool. It connects at the first call.
 *
 * @throws TypeError if the base URL is not an http or https URL
 * @throws RangeError for an option that is out of its range
 *
 * @example
 * ```ts
 * import { createUpstream, readJson } from '@trivium/provider-kit'
 * import { objectOr } from '@trivium/provider-kit/answers'
 *
 * const upstream = createUpstream({
 *   baseUrl: 'https://api.example/v1',
 *   headers: { authorization: 'Bearer sk-…' },
 *   errorIn: (body) => ({ message: objectOr(body).message }),
 * })
 * const answer = await upstream.ask({ path: '/models' }, { signal: AbortSignal.timeout(10_000) })
 * console.log(await readJson(answer))
 * await upstream.close()
 * ```
 */
export function createUpstream({
  baseUrl,
  headers = {},
  errorIn,
  maxAnswerBytes = MAX_ANSWER_BYTES,
  dispatcher,
  now = () => new Date(),
}: UpstreamOptions): Upstream {
  const { origin, pathname, protocol } = new URL(baseUrl)
  if (protocol !== 'http:' && protocol !== 'https:')
    throw new TypeError(`'${protocol}' is not a protocol of an upstream`)
  checkRange({ maxAnswerBytes }, 1, Number.MAX_SAFE_INTEGER)
  const prefix = pathname.replace(/\/+$/, '')
  const pool = usableDispatcher(dispatcher ?? new Pool(origin, connectionOptions))
  const own: Readonly<Record<string, string | undefined>> = {
    'accept-encoding': 'identity',
    'user-agent': 'trivium',
    authorization: undefined,
    cookie: undefined,
    ...lowerCase(headers),
  }
  const sent = { ...own, 'content-type': JSON_TYPE }
  const secrets = upstreamSecrets(own)

  const call: Upstream['call'] = (
    { path, method, body, contentType = JSON_TYPE, headers: further, accept = JSON_TYPE },
    context,
  ) =>
    callUpstream(
      pool,
      {
        origin,
        path: prefix + path,
        method: method ?? (body === undefined ? 'GET' : 'POST'),
        body: body === undefined ? null : isStream(body) ? Readable.from(body, { objectMode: false }) : body,
        headers: {
          ...context.headers,
          ...(body === undefined ? own : contentType === JSON_TYPE ? sent : { ...own, 'content-type': contentType }),
          ...further,
          accept,
          'x-request-id': context.requestId,
        },
      },
      {
        signal: context.signal,
        connectTimeoutMs: context.connectTimeoutMs ?? CONNECT_TIMEOUT_MS,
        maxAnswerBytes,
        secrets,
      },
    )

  const refusalOf: Upstream['refusalOf'] = async (answer) => ({
    status: answer.status,
    headers: answer.headers,
    text: await readExcerpt(answer, MAX_ERROR_BYTES),
  })

  const failureOf: Upstream['failureOf'] = (refused) => refusal(refused, { secrets, errorIn, now })

  return {
    secrets,
    call,
    refusalOf,
    failureOf,
    ask: async (request, context) => {
      const answer = await call(request, context)
      if (isSuccess(answer)) return answer
      throw failureOf(await refusalOf(answer))
    },
    close: async () => {
      if (!dispatcher) await pool.destroy()
    },
  }
}

const isStream = (body: Uint8Array | string | AsyncIterable<Uint8Array>): body is AsyncIterable<Uint8Array> =>
  typeof body !== 'string' && Symbol.asyncIterator in body

const lowerCase = (headers: Readonly<Record<string, string | undefined>>): Record<string, string | undefined> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
