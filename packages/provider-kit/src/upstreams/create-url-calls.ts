import '#supported-node'
import { Agent, type Dispatcher } from 'undici'
import type { UpstreamAnswer } from '../calls/upstream-answer.ts'
import { callUpstream } from '../calls/upstream-call.ts'
import { CONNECT_TIMEOUT_MS, connectionOptions, MAX_ANSWER_BYTES } from './connection-options.ts'
import type { CallContext } from './create-upstream.ts'
import { usableDispatcher } from './usable-dispatcher.ts'

/** Options of {@link createUrlCalls}. Each has a default. */
export interface UrlCallsOptions {
  /** The most bytes of one answer. A larger one is `malformed`. @default 128 MiB */
  readonly maxAnswerBytes?: number | undefined
  /** The connect timeout of a call whose context does not set one. @default 10000 */
  readonly connectTimeoutMs?: number
  /** Sends the requests, such as a proxy agent or one that trusts a private authority. @default an agent of its own */
  readonly dispatcher?: Dispatcher | undefined
}

/** One request to a URL. */
export interface UrlRequest {
  /** An http or https URL. */
  readonly url: URL
  /** Names in lower case. @default none */
  readonly headers?: Readonly<Record<string, string>>
  /** The body of a POST. Without it, the request is a GET. */
  readonly body?: string | undefined
}

/**
 * Calls any URL, without credentials of its own. Redirects are not followed, answers not decompressed, requests not
 * retried.
 */
export interface UrlCalls {
  /** Resolves with the answer, regardless of its status. Rejects with `ProviderFailure` if none arrives. */
  call(request: UrlRequest, context: Pick<CallContext, 'signal' | 'connectTimeoutMs'>): Promise<UpstreamAnswer>
  /** Closes the connections of its own agent. Incomplete answers are cut off. A dispatcher of the host stays open. */
  close(): Promise<void>
}

/** Creates calls to URLs that differ with each call, over one agent. */
export function createUrlCalls({
  maxAnswerBytes = MAX_ANSWER_BYTES,
  connectTimeoutMs = CONNECT_TIMEOUT_MS,
  dispatcher,
}: UrlCallsOptions = {}): UrlCalls {
  const agent = usableDispatcher(dispatcher ?? new Agent(connectionOptions))
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
