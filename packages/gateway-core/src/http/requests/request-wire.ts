import type { InferOutput } from 'valibot'
import { formatDollars } from '../../money/dollars.ts'
import type { LoggedAttempt, LoggedRequest, PassedOver } from '../../request-log/logged-request.ts'
import type { LogPlace } from '../../request-log/request-log-repository.ts'
import type { RequestDetailSchema, RequestSchema } from './request-schema.ts'

type Request = InferOutput<RequestSchema>

/** Returns an entry without its texts. */
export const toWire = (entry: LoggedRequest): Request => ({
  object: 'request',
  id: entry.id,
  request_id: entry.requestId,
  at: entry.at.toISOString(),
  caller: entry.caller,
  key_id: entry.keyId ?? null,
  user_id: entry.userId ?? null,
  person_id: entry.personId ?? null,
  team_id: entry.teamId ?? null,
  tags: [...(entry.tags ?? [])],
  end_user: entry.endUser ?? null,
  operation: entry.operation,
  model: entry.model ?? null,
  provider: entry.provider ?? null,
  upstream_model: entry.upstreamModel ?? null,
  status: entry.status,
  error: errorToWire(entry),
  refused_by: entry.refusedBy ?? null,
  streamed: entry.streamed,
  partial: entry.partial,
  estimated: entry.estimated,
  cache_hit: entry.cacheHit ?? false,
  latency_ms: entry.latencyMs,
  first_token_ms: entry.firstTokenMs ?? null,
  input_tokens: entry.inputTokens,
  output_tokens: entry.outputTokens,
  cached_tokens: entry.cachedTokens,
  cache_write_tokens: entry.cacheWriteTokens,
  reasoning_tokens: entry.reasoningTokens,
  audio_input_tokens: entry.audioInputTokens,
  audio_output_tokens: entry.audioOutputTokens,
  searches: entry.searches,
  images: entry.images,
  cost: entry.cost === undefined ? null : formatDollars(entry.cost),
  attempts: entry.attempts.map(attemptToWire),
  omitted_attempts: entry.omittedAttempts ?? 0,
})

/** Returns an entry with its texts. */
export const toDetail = (entry: LoggedRequest): InferOutput<RequestDetailSchema> => ({
  ...toWire(entry),
  prompt: entry.prompt ?? null,
  answer: entry.answer ?? null,
})

export const placeToWire = ({ at, id }: LogPlace): string => `${at.getTime()}.${id}`

const attemptToWire = (attempt: LoggedAttempt): Request['attempts'][number] => ({
  provider: attempt.provider,
  upstream_model: attempt.upstreamModel ?? null,
  cause: attempt.cause,
  passed_over: attempt.passedOver ? passedOver[attempt.passedOver] : null,
  start_ms: attempt.startMs,
  duration_ms: attempt.durationMs,
  status: attempt.status,
  error: errorToWire(attempt),
})

const passedOver = { 'circuit-open': 'circuit_open', paused: 'paused', busy: 'busy' } as const satisfies Readonly<
  Record<PassedOver, string>
>

const errorToWire = ({ errorType, errorMessage }: Pick<LoggedRequest, 'errorType' | 'errorMessage'>) =>
  errorType === undefined ? null : { type: errorType, message: errorMessage ?? null }
