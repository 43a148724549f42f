import { SearchFailure } from '@trivium/gateway-core/ports'
import type { Dispatcher } from '@trivium/provider-kit'
import { retryAfterSeconds } from '@trivium/provider-kit/answers'
import { answerFailure } from '../calls/answer-failure.ts'
import { createEngineCall, type EngineAnswer, type EngineRequest } from '../calls/engine-call.ts'

export interface SessionOptions {
  readonly baseUrl?: string | undefined
  readonly userAgent: string
  readonly blockedRetrySeconds: number
  readonly maxAnswerBytes?: number | undefined
  readonly dispatcher?: Dispatcher | undefined
  readonly now: () => Date
}

/** Sends requests with the headers of a browser. */
export interface Session {
  readonly html: URL
  readonly lite: URL
  /** The base of the pages for scripts: `/`, `/i.js`, `/news.js`, `/ac/`. */
  readonly site: URL
  /**
   * Rejects with `SearchFailure` for each status other than 200; `blocked` if DuckDuckGo treats the gateway as a robot.
   */
  ask(question: EngineRequest, signal: AbortSignal): Promise<string>
  blocked(answer?: EngineAnswer): SearchFailure
}

export function session({
  baseUrl,
  userAgent,
  blockedRetrySeconds,
  maxAnswerBytes,
  dispatcher,
  now,
}: SessionOptions): Session {
  const ask = createEngineCall({ dispatcher, maxAnswerBytes })
  const place = (standard: string, path: string) => new URL(path, baseUrl ?? standard)
  const html = place('https://html.duckduckgo.com', '/html/')
  const headers = {
    'user-agent': userAgent,
    'accept-language': 'en-US,en;q=0.9',
    referer: `${html.origin}/`,
    'sec-fetch-dest': 'document',
    'sec-fetch-mode': 'navigate',
    'sec-fetch-site': 'same-origin',
    'sec-fetch-user': '?1',
  }

  const blocked = (answer?: EngineAnswer) =>
    new SearchFailure({
      type: 'blocked',
      message: 'DuckDuckGo treats this gateway as a robot.',
      retryAfterSeconds: (answer && retryAfterSeconds(answer.headers, now)) ?? blockedRetrySeconds,
    })

  return {
    html,
    lite: place('https://lite.duckduckgo.com', '/lite/'),
    site: place('https://duckduckgo.com', '/'),
    blocked,
    ask: async (question, signal) => {
      const answer = await ask({ ...question, headers: { ...headers, ...question.headers } }, signal)
      if (answer.status === 202 || answer.status === 403 || answer.status === 418) throw blocked(answer)
      if (answer.status !== 200) throw answerFailure(answer, now)
      return answer.text
    },
  }
}
