import type { ApiKeyId } from '../api-keys/api-key.ts'
import type { Nanodollars } from '../money/dollars.ts'
import type { LoggedRequest } from '../request-log/logged-request.ts'
import type { UsageId } from '../usage/usage-record.ts'

const noon = Date.UTC(2026, 0, 2, 12)

/** That many seconds after noon. */
export const logTime = (seconds: number): Date => new Date(noon + seconds * 1_000)

/** Returns an entry of the request log, that many seconds after noon. */
export const loggedRequest = (number: number, more: Partial<LoggedRequest> = {}): LoggedRequest => ({
  id: `log-${String(number).padStart(6, '0')}` as UsageId,
  at: logTime(number),
  requestId: `req_${number}`,
  caller: 'key',
  keyId: 'key-1' as ApiKeyId,
  personId: 'person-1',
  operation: 'chat',
  model: 'up/big',
  provider: 'up',
  upstreamModel: 'big',
  streamed: false,
  inputTokens: 9,
  outputTokens: 2,
  cachedTokens: 1,
  cacheWriteTokens: 0,
  reasoningTokens: 0,
  audioInputTokens: 0,
  audioOutputTokens: 0,
  searches: 0,
  cost: 1_500 as Nanodollars,
  estimated: false,
  partial: false,
  status: 200,
  latencyMs: 12,
  images: 0,
  attempts: [{ provider: 'up', upstreamModel: 'big', cause: 'first', startMs: 0, durationMs: 12, status: 200 }],
  ...more,
})
