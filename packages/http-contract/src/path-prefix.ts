/** Options of {@link pathPrefix}. */
interface PathPrefixOptions {
  /** Whether segments may be parameters of Fastify, such as `:tenant`. @default false */
  readonly parameters?: boolean
}

/** Segments that no request has, or that a router may read as a pattern. */
const NO_SEGMENT = /^\.{1,2}$|[^\w.~!$&'()+,;=:@%-]|%(?![\da-f]{2})/i

/**
 * Returns a prefix of paths with a slash at its start and none at its end, as `/ai` for `ai` and `/ai/`. Empty for `/`
 * and without a prefix.
 *
 * @throws TypeError if it is not a text, or cannot be the start of a path, such as one with a query, a pattern or an empty segment
 */
export function pathPrefix(given = '', { parameters = false }: PathPrefixOptions = {}): string {
  if (typeof given !== 'string') throw new TypeError('The prefix of paths must be a text such as "/ai".')
  const inner = given.replace(/^\//, '').replace(/\/$/, '')
  const isWrong = (segment: string) =>
    segment === '' || NO_SEGMENT.test(segment) || (!parameters && segment.startsWith(':'))
  if (inner === '') {
    if (given === '' || given === '/') return ''
  } else if (!inner.split('/').some(isWrong)) return `/${inner}`
  throw new TypeError(
    `"${given}" cannot be the prefix of paths. Use a path such as "/ai", without a query, "//", "*" or parameters, and with other characters percent-encoded.`,
  )
}
