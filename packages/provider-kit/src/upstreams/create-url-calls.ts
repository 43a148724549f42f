import { Agent, type Dispatcher } from 'undici'
import type { UpstreamAnswer } from '../calls/upstream-answer.ts'
import { callUpstream } from '../calls/upstream-call.ts'
import { CONNECT_TIMEOUT_MS, connectionOptions, MAX_ANSWER_BYTES } from './connection-options.ts'
import type { CallContext } from './create-upstream.ts'

/** How addresses are called. Every option has a default. */
export interface UrlCallsOptions {
  /** The most bytes of one answer; a larger one is `malformed`. @default 128 MiB */
  readonly maxAnswerBytes?: number | undefined
  /** Of a call whose context does not set one. @default 10000 */
  readonly connectTimeoutMs?: number
  /** Sends the requests: a proxy agent, or one that trusts a private authority. @default an agent of its own */
  readonly dispatcher?: Dispatcher | undefined
}

/** One request to an address. */
export interface UrlRequest {
  readonly url: URL
  /** Names in lower case. */
  readonly headers?: Readonly<Record<string, string>>
  /** A POST; without it a GET. */
  readonly body?: string | undefined
}

/** Calls of any address, with no credentials of their own. Nothing is followed, decoded or repeated. */
export interface UrlCalls {
  /** The answer, regardless of its status. @throws ProviderFailure where none comes */
  call(request: UrlRequest, context: Pick<CallContext, 'signal' | 'connectTimeoutMs'>): Promise<UpstreamAnswer>
  /** Frees the connections of its own agent. Answers that still run are cut. */
  close(): Promise<void>
}

/** Calls addresses that are known with each call only, over one agent. */
export function createUrlCalls({
  maxAnswerBytes = MAX_ANSWER_BYTES,
  connectTimeoutMs = CONNECT_TIMEOUT_MS,
  dispatcher,
}: UrlCallsOptions = {}): UrlCalls {
  const agent = dispatcher ?? new Agent(connectionOptions)
  return {
    call: ({ url, headers, body }, context) =>
      callUpstream(
        agent,
        {
          origin: url.origin,
          path: url.pathname + url.search,
          method: body === undefined ? 'GET' : 'POST',
          body: body ?? null,
          headers: { 'accept-encoding': 'identity', ...headers },
        },
        { signal: context.signal, connectTimeoutMs: context.connectTimeoutMs ?? connectTimeoutMs, maxAnswerBytes },
      ),
    close: async () => {
      if (!dispatcher) await agent.destroy()
    },
  }
}
