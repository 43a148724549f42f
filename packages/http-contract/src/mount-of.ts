import type { Mount } from './exchange.ts'

/** A `Host` of a request: a name or an address, and a port. Anything else is not repeated in links. */
const HOST = /^(?:[\w.~-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i

/** The scheme, and the name with the port, as a host determines them for a request. */
export interface MountAddress {
  /** `http` or `https`. Any other becomes `http`. */
  readonly scheme: string
  /** One that is not valid, or not known, becomes `localhost`. */
  readonly host: string | undefined
}

/**
 * Returns the address of a mount.
 *
 * @param path the prefix of the mount as the client sent it; empty without one
 * @param address called where the origin is read
 */
export const mountOf = (path: string, address: () => MountAddress): Mount => ({
  path: isPlainPath(path) ? path : repairedPath(path),
  get origin() {
    const { scheme, host } = address()
    return `${scheme === 'https' ? 'https' : 'http'}://${host !== undefined && isPlainHost(host) ? host : 'localhost'}`
  },
})

/** Whether the value of a `Host` header is a name or an address, with or without a port, so that links can contain it. */
export const isPlainHost = (host: string): boolean => HOST.test(host)

/** Whether a text is a path that links can begin with: empty, or segments of which none is empty, `.` or `..`. */
export const isPlainPath = (path: string): boolean => path === '' || PLAIN_PATH.test(path)

const PLAIN_PATH = /^(?:\/(?!(?:\.|%2e){1,2}(?:\/|$))[\w.~!$&'()*+,;=:@%-]+)+$/i

/** A link that begins with two slashes would name another host. */
const repairedPath = (path: string): string =>
  path
    .replaceAll(/[^\w.~!$&'()*+,;=:@%/-]/gu, (found) => (found.isWellFormed() ? encodeURIComponent(found) : ''))
    .replaceAll(/\/{2,}/g, '/')
    .replace(/\/$/, '')
