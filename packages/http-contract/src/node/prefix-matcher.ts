/**
 * Returns a function that finds the prefix of a mount at the beginning of a path, and returns it as the client sent it;
 * `undefined` where the path is elsewhere.
 *
 * @param prefix may have parameters of Fastify, each of which takes one segment, as in `/:tenant/ai`
 */
export function prefixMatcher(prefix: string): (path: string) => string | undefined {
  if (!prefix.includes(':')) return (path) => (path.startsWith(prefix) ? prefix : undefined)
  const segments = prefix
    .split('/')
    .map((segment) => (segment.includes(':') ? '[^/]+' : segment.replaceAll(/\W/g, '\\$&')))
  const pattern = new RegExp(`^${segments.join('/')}(?=/)`)
  return (path) => pattern.exec(path)?.[0]
}
