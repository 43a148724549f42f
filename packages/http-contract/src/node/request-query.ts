/** Returns the query string of a request's URL as it was sent, without the question mark. Empty if it has none. */
export function queryOf(url: string | undefined): string {
  const question = url?.indexOf('?') ?? -1
  return url === undefined || question < 0 ? '' : url.slice(question + 1)
}

/**
 * Returns the path of a request's URL as it was sent, without the query, and without the origin of an absolute URL. `/`
 * without a URL.
 */
export function pathOf(url = '/'): string {
  const question = url.indexOf('?')
  const path = question < 0 ? url : url.slice(0, question)
  return path.startsWith('/') ? path : path.replace(ORIGIN, '') || '/'
}

const ORIGIN = /^https?:\/\/[^/]*/i

/**
 * Returns the path of a mount as the client sent it: what comes before the path that the mount's router has got.
 *
 * @param sent the URL of the request before any part of the host changed it
 * @param own the URL inside of the mount
 * @param prefix the mount's prefix as the host knows it, for a request whose URL was replaced by another one
 */
export function mountPathOf(sent: string, own: string, prefix: string): string {
  const [whole, inside] = [pathOf(sent), pathOf(own)]
  return whole.endsWith(inside) ? whole.slice(0, whole.length - inside.length) : prefix
}
