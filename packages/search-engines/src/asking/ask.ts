import { SearchFailure } from '@trivium/gateway-core/ports'
import { Agent, type Dispatcher, request } from 'undici'

export interface AskOptions {
  /** Sends the requests: a proxy agent, or one that trusts a private authority. @default an agent of its own */
  readonly dispatcher?: Dispatcher | undefined
  /** The most bytes of one answer. @default 4 MiB */
  readonly maxAnswerBytes?: number | undefined
}

export interface Question {
  readonly url: URL
  readonly headers?: Readonly<Record<string, string>>
  /** Fields of a form, posted. Without them it is a GET. */
  readonly form?: Readonly<Record<string, string>>
}

export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly text: string
}

/** One HTTP exchange, whatever its status. Redirects are answers. @throws SearchFailure where no whole answer comes */
export type Ask = (question: Question, signal: AbortSignal) => Promise<Answer>

const CONNECT_TIMEOUT_MS = 5000

export function asking({ dispatcher, maxAnswerBytes = 4 * 2 ** 20 }: AskOptions): Ask {
  const agent = dispatcher ?? new Agent({ allowH2: false, connect: { timeout: CONNECT_TIMEOUT_MS } })
  return async ({ url, headers = {}, form }, signal) => {
    try {
      const {
        statusCode,
        headers: answered,
        body,
      } = await request(url, {
        dispatcher: agent,
        signal,
        method: form ? 'POST' : 'GET',
        body: form ? new URLSearchParams(form).toString() : null,
        headers: {
          'accept-encoding': 'identity',
          ...(form ? { 'content-type': 'application/x-www-form-urlencoded' } : {}),
          ...headers,
        },
      })
      return { status: statusCode, headers: answered, text: await read(body, maxAnswerBytes) }
    } catch (thrown) {
      if (SearchFailure.is(thrown)) throw thrown
      throw new SearchFailure(
        { type: 'unavailable', message: 'The search engine gave no whole answer.' },
        { cause: thrown },
      )
    }
  }
}

async function read(body: AsyncIterable<Uint8Array>, limit: number): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  let bytes = 0
  for await (const chunk of body) {
    bytes += chunk.byteLength
    if (bytes > limit) {
      throw new SearchFailure({ type: 'unavailable', message: 'The search engine answered with more than is taken.' })
    }
    text += decoder.decode(chunk, { stream: true })
  }
  return text + decoder.decode()
}
