import type { ClientHeaders } from '../dialects/answering/forwarded-headers.ts'

/** What a client requests of the cache. */
export interface CacheControl {
  /** Whether an answer may be read. */
  readonly reads: boolean
  /** Absent for any age. */
  readonly maxAgeSeconds?: number
}

const anyAge: CacheControl = { reads: true }
const unread: CacheControl = { reads: false }

/** The digits of the most seconds that matter. */
const MAX_AGE = /^max-age=(\d{1,10})$/

/**
 * Reads the header `cache-control` of a request: `no-store`, `no-cache` and `max-age`. Others are ignored.
 *
 * @returns `undefined` where the answer must neither be read nor stored
 */
export function cacheControlOf(headers: ClientHeaders | undefined): CacheControl | undefined {
  const given = headers?.['cache-control']
  if (given === undefined) return anyAge
  const text = typeof given === 'string' ? given : given.join(',')
  const directives = text.split(',').map((directive) => directive.trim().toLowerCase())
  if (directives.includes('no-store')) return undefined
  if (directives.includes('no-cache')) return unread
  const ages = directives.flatMap((directive) => MAX_AGE.exec(directive)?.[1] ?? []).map(Number)
  if (ages.length === 0) return anyAge
  const maxAgeSeconds = Math.min(...ages)
  return maxAgeSeconds === 0 ? unread : { reads: true, maxAgeSeconds }
}
