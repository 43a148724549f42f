import type { ApiKeyId } from '@trivium/gateway-core'
import type { RateLimiter } from '@trivium/gateway-core/ports'
import type { Operation } from './figures.ts'

const start = Date.UTC(2026, 0, 2)
const key = (name: string) => name as ApiKeyId // ids are opaque here

/** Returns operations with one key each, so that every admission changes the row of the previous one. */
export const limitOperations = (limiter: RateLimiter): readonly Operation[] => [
  {
    name: 'admission, limit 60',
    count: 500,
    run: (index) => limiter.admit(key('sixty'), 60, new Date(start + index * 1_100)),
  },
  { name: 'refusal, limit 60', count: 500, run: () => limiter.admit(key('full'), 60, new Date(start)) },
  {
    name: 'admission, limit 10,000, 1,000 in the window',
    count: 500,
    run: (index) => limiter.admit(key('many'), 10_000, new Date(start + index * 60)),
  },
]
