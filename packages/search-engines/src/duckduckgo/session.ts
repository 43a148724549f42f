import { SearchFailure } from '@trivium/gateway-core/ports'
import type { Dispatcher } from '@trivium/provider-kit'
import { retryAfterSeconds } from '@trivium/provider-kit/answers'
import { answerFailure } from '../asking/answer-failure.ts'
import { type Answer, asking, type Question } from '../asking/ask.ts'

export interface SessionOptions {
  readonly baseUrl?: string | undefined
  readonly userAgent: string
  readonly blockedRetrySeconds: number
  readonly maxAnswerBytes?: number | undefined
  readonly dispatcher?: Dispatcher | undefined
  readonly now: () => Date
}

/** Questions as a browser would ask them. */
export interface Session {
  readonly html: URL
  readonly lite: URL
  /** Of the pages that scripts ask: `/`, `/i.js`, `/news.js`, `/ac/`. */
  readonly site: URL
  /** @throws SearchFailure `blocked` where DuckDuckGo takes us for a robot, and for every other status than 200 */
  ask(question: Question, signal: AbortSignal): Promise<string>
  blocked(answer?: Answer): SearchFailure
}

export function session({
  baseUrl,
  userAgent,
  blockedRetrySeconds,
  maxAnswerBytes,
  dispatcher,
  now,
}: SessionOptions): Session {
  const ask = asking({ dispatcher, maxAnswerBytes })
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

  const blocked = (answer?: Answer) =>
    new SearchFailure({
      type: 'blocked',
      message: 'DuckDuckGo takes this gateway for a robot.',
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
