import type { Mount, RequestHeaders } from './exchange.ts'
import { isPlainPath, type MountAddress, mountOf } from './mount-of.ts'

/**
 * Returns the path of a mount to which a proxy passes requests on without their prefix.
 *
 * @param prefix the `X-Forwarded-Prefix` of a proxy that the host trusts. Those of several proxies are joined, the
 * outermost first. One that is not a path is ignored
 * @param path the prefix of the mount in the host
 */
export function forwardedPath(prefix: RequestHeaders[string], path: string): string {
  const prefixes = listed(prefix).map((one) => one.replace(/\/$/, ''))
  return prefixes.every(isPlainPath) ? `${prefixes.join('')}${path}` : path
}

/**
 * Returns the address of a mount from `X-Forwarded-Proto`, `X-Forwarded-Host` and `X-Forwarded-Prefix`. Use it only for
 * the requests of a proxy that the host trusts: any client can send these headers. Of several schemes and names the
 * last is used, which the nearest proxy has added.
 *
 * @param path the prefix of the mount in the host
 * @param address what the request itself has, for headers that are absent
 */
export const forwardedMount = (headers: RequestHeaders, path: string, address: () => MountAddress): Mount =>
  mountOf(forwardedPath(headers['x-forwarded-prefix'], path), () => {
    const own = address()
    return {
      scheme: listed(headers['x-forwarded-proto']).at(-1) ?? own.scheme,
      host: listed(headers['x-forwarded-host']).at(-1) ?? own.host,
    }
  })

const listed = (value: RequestHeaders[string]): readonly string[] =>
  value === undefined
    ? []
    : String(value)
        .split(',')
        .flatMap((one) => one.trim() || [])
