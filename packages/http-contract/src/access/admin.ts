import type { RequestHeaders } from '../exchange.ts'
import type { AdminCheck, AdminVerdict, Peer } from './admin-check.ts'
import { credentialsOf } from './credentials.ts'
import { isCrossSite } from './cross-site.ts'
import { type GuessLimitOptions, limitGuesses } from './guess-limit.ts'
import type { Refusal } from './refusal.ts'
import { sameText } from './same-text.ts'

/**
 * Creates a check against one password, for the option `admin` of routes. Its time depends only on the presented
 * credentials, and it slows guesses down as {@link limitGuesses} does. Create one for all services with the same
 * password, because each check counts guesses on its own.
 *
 * @param password also accepted as a Bearer token, without a name; if it is absent or empty, every caller is refused
 * @param username @default 'admin'
 *
 * @example
 * ```ts
 * import { adminCheck } from '@trivium/http-contract'
 *
 * const admin = adminCheck('correct horse battery')
 * const credentials = { username: 'admin', password: 'correct horse battery' }
 * console.log(await admin(credentials, { remoteAddress: '192.0.2.1' }))
 * ```
 */
export function adminCheck(
  password: string | undefined,
  username = 'admin',
  options: GuessLimitOptions = {},
): AdminCheck {
  if (!password) return () => false
  return limitGuesses((presented) => {
    const isUser = sameText(presented.username ?? username, username)
    const isPassword = sameText(presented.password, password)
    return isUser && isPassword
  }, options)
}

/** The parts of a request that identify its caller. */
export interface PresentedRequest extends Peer {
  readonly headers: RequestHeaders
}

/**
 * Returns why a request does not present the admin's credentials, as HTTP Basic or as a Bearer token; `undefined` if it
 * does. Basic from a page of another site is refused, because the browser adds it without its user.
 */
export async function adminRefusal(request: PresentedRequest, admin: AdminCheck): Promise<Refusal | undefined> {
  const credentials = credentialsOf(request.headers)
  switch (credentials.type) {
    case 'basic':
      return isCrossSite(request.headers)
        ? { reason: 'cross_site' }
        : verdictRefusal(await admin({ username: credentials.username, password: credentials.password }, request))
    case 'bearer':
      return verdictRefusal(await admin({ password: credentials.token }, request))
    case 'none':
      return { reason: 'missing_credentials' }
    case 'malformed':
      return { reason: 'malformed_credentials' }
  }
}

/**
 * Converts a verdict to a refusal; `undefined` if the caller is the admin. Any other value, as from a host without type
 * checks, is a wrong password.
 */
export function verdictRefusal(verdict: AdminVerdict): Refusal | undefined {
  if (verdict === true) return undefined
  if (typeof verdict === 'object' && verdict !== null && 'retryAfterSeconds' in verdict)
    return { reason: 'too_many_guesses', retryAfterSeconds: verdict.retryAfterSeconds }
  return { reason: 'wrong_password' }
}
