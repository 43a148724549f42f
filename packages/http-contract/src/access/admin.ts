import type { Promisable } from 'type-fest'
import type { RequestHeaders } from '../exchange.ts'
import { credentialsOf } from './credentials.ts'
import { isCrossSite } from './cross-site.ts'
import { sameText } from './same-text.ts'

/** What someone presents who says to be the admin. */
export interface AdminCredentials {
  /** Absent where a Bearer token was presented. */
  readonly username?: string
  readonly password: string
}

/** Whether these are the admin's credentials. It should compare in constant time, as {@link adminCheck} does. */
export type AdminCheck = (credentials: AdminCredentials) => Promisable<boolean>

/**
 * Checks against one password, in a time that depends on what is presented alone.
 *
 * @param password where it is absent or empty, nobody is the admin
 */
export const adminCheck =
  (password: string | undefined, username = 'admin') =>
  (presented: AdminCredentials): boolean => {
    if (!password) return false
    const isUser = sameText(presented.username ?? username, username)
    const isPassword = sameText(presented.password, password)
    return isUser && isPassword
  }

/**
 * Whether a request presents the admin's credentials, as HTTP Basic or as a Bearer token. Basic that a page of another
 * site sends is none: the browser added it, not its user.
 */
export async function presentsAdmin(headers: RequestHeaders, admin: AdminCheck): Promise<boolean> {
  const credentials = credentialsOf(headers)
  switch (credentials.type) {
    case 'basic':
      return !isCrossSite(headers) && (await admin(credentials)) === true
    case 'bearer':
      return (await admin({ password: credentials.token })) === true
    default:
      return false
  }
}
