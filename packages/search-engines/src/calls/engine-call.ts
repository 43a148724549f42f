import { SearchFailure } from '@trivium/gateway-core/ports'
import { createUrlCalls, type Dispatcher, isSuccess, readAnswer, readExcerpt } from '@trivium/provider-kit'

export interface EngineCallOptions {
  /** Sends the requests, such as a proxy agent or one that trusts a private authority. @default an agent of its own */
  readonly dispatcher?: Dispatcher | undefined
  /** The most bytes of one answer. @default 4 MiB */
  readonly maxAnswerBytes?: number | undefined
}

export interface EngineRequest {
  readonly url: URL
  /** Names in lower case. */
  readonly headers?: Readonly<Record<string, string>>
  /** Fields of a form to post. Without them, the request is a GET. */
  readonly form?: Readonly<Record<string, string>>
}

export interface EngineAnswer {
  readonly status: number
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** The whole body of an answer with status 200 to 299, otherwise at most its first 64 KiB. */
  readonly text: string
}

/**
 * Sends a request, and resolves with its answer regardless of the status. Redirects are not followed. Rejects with
 * `SearchFailure` if no complete answer arrives.
 */
export type EngineCall = (question: EngineRequest, signal: AbortSignal) => Promise<EngineAnswer>

const CONNECT_TIMEOUT_MS = 5000

const MAX_ERROR_BYTES = 65_536

export function createEngineCall({ dispatcher, maxAnswerBytes = 4 * 2 ** 20 }: EngineCallOptions): EngineCall {
  const calls = createUrlCalls({ dispatcher, maxAnswerBytes, connectTimeoutMs: CONNECT_TIMEOUT_MS })
  return async ({ url, headers, form }, signal) => {
    const body = form && new URLSearchParams(form).toString()
    const type = form ? { 'content-type': 'application/x-www-form-urlencoded' } : {}
    try {
      const answer = await calls.call({ url, headers: { ...type, ...headers }, body }, { signal })
      const text = isSuccess(answer)
        ? decoder.decode(await readAnswer(answer))
        : await readExcerpt(answer, MAX_ERROR_BYTES)
      return { status: answer.status, headers: answer.headers, text }
    } catch (thrown) {
      throw new SearchFailure(
        { type: 'unavailable', message: 'The search engine sent no complete answer.' },
        { cause: thrown },
      )
    }
  }
}

const decoder = new TextDecoder()
