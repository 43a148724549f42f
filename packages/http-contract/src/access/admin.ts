import type { RequestHeaders } from '../exchange.ts'
import type { AdminCheck, AdminVerdict, Peer } from './admin-check.ts'
import { credentialsOf } from './credentials.ts'
import { isCrossSite } from './cross-site.ts'
import { type GuessLimitOptions, limitGuesses } from './guess-limit.ts'
import type { Refusal } from './refusal.ts'
import { sameText } from './same-text.ts'

/**
 * Checks against one password, in a time that depends on what is presented alone, and slows guesses down as
 * {@link limitGuesses} does. Make one for all services that have the same password: each counts for itself.
 *
 * @param password where it is absent or empty, no one is the admin
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

/** What of a request says who asks. */
export interface PresentedRequest extends Peer {
  readonly headers: RequestHeaders
}

/**
 * Why a request does not present the admin's credentials, as HTTP Basic or as a Bearer token; `undefined` where it does.
 * Basic that a page of another site sends is refused: the browser added it, not its user.
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

/** What a verdict refuses, also where the host that gave it is not type-checked. */
export function verdictRefusal(verdict: AdminVerdict): Refusal | undefined {
  if (verdict === true) return undefined
  if (typeof verdict === 'object' && verdict !== null && 'retryAfterSeconds' in verdict)
    return { reason: 'too_many_guesses', retryAfterSeconds: verdict.retryAfterSeconds }
  return { reason: 'wrong_password' }
}
