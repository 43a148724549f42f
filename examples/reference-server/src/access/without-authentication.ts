import { type AccessRequest, type AdminCaller, isCrossSite } from '@trivium/http-contract'
import type { Settings } from '../settings.ts'

/** Headers of credentials, which are checked as ever. */
const credentials = ['authorization', 'x-api-key'] as const

/** Headers that proxies add. A proxy on this machine passes on requests of others. */
const traces = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip'] as const

/**
 * Makes a request without credentials the admin's. Those that a page of another origin caused, also one of this machine,
 * and those that passed a proxy, need credentials: the operation's own rule decides.
 */
export function callerWithoutAuthentication({ headers }: Pick<AccessRequest, 'headers'>): AdminCaller | 'default' {
  const isPlain = [...credentials, ...traces].every((name) => headers[name] === undefined)
  return isPlain && !isCrossSite(headers) ? { type: 'admin' } : 'default'
}

/** Returns the option of each service's routes that applies the setting. */
export const accessOptions = ({ TRIVIUM_AUTH: auth }: Pick<Settings, 'TRIVIUM_AUTH'>) =>
  auth === 'off' ? { authorize: { '*': callerWithoutAuthentication } } : {}
