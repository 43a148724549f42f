import type { Notice } from '../notices/notice.ts'
import type { Scheduler } from '../scheduling/scheduler.ts'
import { noticeBody } from './notice-body.ts'
import { parseRetryAfter } from './retry-delay.ts'
import { secretBytes } from './secrets.ts'

/** The time for which a receiver can answer. */
export const ANSWER_TIMEOUT_MS = 10_000

/** Sends requests to receivers. */
export type Fetch = (url: string, request: RequestInit) => Promise<Response>

export interface SendOptions {
  readonly fetch: Fetch
  readonly scheduler: Scheduler
  readonly now: () => Date
}

export interface SentNotice {
  readonly url: string
  readonly secret: string
  readonly notice: Notice
  /** Aborts the request when the process stops. */
  readonly signal: AbortSignal
}

/** What became of a request. `status` is absent where the receiver gave no answer. */
export type SendResult =
  | { readonly type: 'accepted'; readonly status: number }
  | {
      readonly type: 'refused'
      readonly status?: number
      /** A sentence. */
      readonly failure: string
      readonly retryAfterMs?: number
    }
  | { readonly type: 'interrupted' }

/**
 * Sends a signed notice as Standard Webhooks describes it. Follows no redirect, and reads no body of an answer.
 *
 * Never rejects.
 */
export async function sendNotice(
  { fetch, scheduler, now }: SendOptions,
  { url, secret, notice, signal }: SentNotice,
): Promise<SendResult> {
  const id = headerId(notice.id)
  const body = noticeBody(notice)
  const timestamp = String(Math.floor(now().getTime() / 1000))
  const timeout = new AbortController()
  const stopTimer = scheduler.after(ANSWER_TIMEOUT_MS, () => timeout.abort())
  try {
    const response = await fetch(url, {
      method: 'POST',
      redirect: 'manual',
      headers: {
        'content-type': 'application/json',
        'user-agent': 'trivium',
        'webhook-id': id,
        'webhook-timestamp': timestamp,
        'webhook-signature': await sign(secret, `${id}.${timestamp}.${body}`),
      },
      body,
      signal: AbortSignal.any([signal, timeout.signal]),
    })
    await response.body?.cancel().catch(() => undefined)
    return resultOf(response, now())
  } catch (error) {
    if (signal.aborted) return { type: 'interrupted' }
    if (timeout.signal.aborted) {
      return { type: 'refused', failure: `The receiver did not answer within ${ANSWER_TIMEOUT_MS / 1000} seconds.` }
    }
    return { type: 'refused', failure: `The receiver cannot be reached: ${codeOf(error)}.` }
  } finally {
    stopTimer()
  }
}

/** Encodes what a header cannot have, such as line breaks and letters outside of ASCII, as in a URL. */
const headerId = (id: string): string => id.toWellFormed().replace(/[^\x21-\x7e]+/g, encodeURIComponent)

function resultOf({ status, headers, type }: Response, now: Date): SendResult {
  if (status >= 200 && status < 300) return { type: 'accepted', status }
  // Browsers hide the status of a redirect that is not followed.
  if (type === 'opaqueredirect' || (status >= 300 && status < 400)) {
    const failure = 'The receiver answered with a redirect, which is not followed.'
    return { type: 'refused', ...(status > 0 && { status }), failure }
  }
  const retryAfterMs = parseRetryAfter(headers.get('retry-after'), now)
  const failure = `The receiver answered with status ${status}.`
  return { type: 'refused', status, failure, ...(retryAfterMs !== undefined && { retryAfterMs }) }
}

async function sign(secret: string, content: string): Promise<string> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  const key = await crypto.subtle.importKey('raw', secretBytes(secret), algorithm, false, ['sign'])
  const signature = await crypto.subtle.sign('HMAC', key, new TextEncoder().encode(content))
  return `v1,${btoa(String.fromCharCode(...new Uint8Array(signature)))}`
}

/** The code of a network error, which is in its cause. Messages could contain the URL. */
function codeOf(error: unknown): string {
  for (let one = error; one instanceof Error; one = one.cause) {
    const code: unknown = Reflect.get(one, 'code')
    if (typeof code === 'string') return code
  }
  return 'the connection failed'
}
