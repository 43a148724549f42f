import type { Writable } from 'type-fest'
import { requestOwnerOf } from '../accounts/request-owner.ts'
import type { Caller, GatewayCall } from '../caller.ts'
import type { Emit } from '../events/create-events.ts'
import type { Nanodollars } from '../money/dollars.ts'
import type { ImageForm } from '../prices/rates.ts'
import { AttemptLog } from '../request-log/attempt-log.ts'
import type { CapturedContent } from '../request-log/captured-content.ts'
import type { AttemptCause, LoggedRequest, PassedOver } from '../request-log/logged-request.ts'
import { refusalMessage } from '../request-log/refusal-message.ts'
import { type Refusal, refusalStatus } from '../request-log/refusal-status.ts'
import { MAX_UNMASKED_MESSAGE } from '../request-log/request-log-bounds.ts'
import type { RequestLogWriter } from '../request-log/request-log-writer.ts'
import type { AttemptAnswer, AttemptSpan } from '../telemetry/attempt-span.ts'
import { type RequestSpan, requestTracer, type SpanProvider, startRequestSpan } from '../telemetry/request-span.ts'
import { UNWRITABLE } from './unwritable.ts'
import { type PricedDetail, wholeDetail } from './usage-detail.ts'
import type { UsageId, UsageRecord } from './usage-record.ts'
import type { UsageRecorder } from './usage-recorder.ts'

/** Records every admitted request. */
export interface RequestAccounts {
  open(call: GatewayCall, request: RecordedRequest): RequestAccount
  /**
   * Returns the record of a request that has not begun yet, as it is stored where its process exits before its end. Its id
   * is that of the request.
   */
  unsettled(call: GatewayCall, request: RecordedRequest): UsageRecord
  /**
   * Logs a request that was refused before any upstream was called. It has no usage record. `undefined` where requests are
   * not logged.
   */
  readonly refused: ((call: GatewayCall, request: RefusedRequest, refusal: Refusal) => void) | undefined
}

/** What is known of a request that was refused. */
export interface RefusedRequest extends Pick<UsageRecord, 'operation'> {
  /** Absent where its body was not read. */
  readonly model?: string
  /** @default false */
  readonly streamed?: boolean
}

/** What the record of a request begins with. */
export interface RecordedRequest extends Pick<UsageRecord, 'operation' | 'model' | 'streamed'> {
  /** The client's own id of its end user, where the host records it. @default none */
  readonly endUser?: string | undefined
  /** @default a new one */
  readonly id?: UsageId | undefined
  /** The client's body, of whose fields spans have some. @default none */
  readonly fields?: Readonly<Record<string, unknown>> | undefined
}

/** The record of one running request. Every request closes it when it ends. Only the first call of `close` counts. */
export interface RequestAccount {
  /** The id of the provider that answers, or that failed last. */
  provider: string | undefined
  /** The upstream's own id of the model that answers, or that failed last. */
  upstreamModel: string | undefined
  /**
   * Begins an attempt at an upstream. It ends with its failure or with the request.
   *
   * @returns headers for the upstream call
   */
  attempt(by: SpanProvider, model: string | undefined, cause: AttemptCause): Readonly<Record<string, string>>
  /** Ends the running attempt with an error, or with an answer in which the model refuses. */
  attemptEnded(failed: FailedAttemptResult): void
  /** Adds an upstream that was not called to the route. */
  passedOver(
    by: SpanProvider,
    model: string | undefined,
    cause: AttemptCause,
    reason: PassedOver,
    error: FailedAttemptResult,
  ): void
  firstByte(): void
  /** @param keep stores the record. @default in the next batch */
  close(result: RequestResult, keep?: (record: UsageRecord) => void): void
}

/** How an attempt has ended that gave no answer to the client. */
export interface FailedAttemptResult extends AttemptAnswer {
  readonly status: number
  readonly errorType: string
  readonly errorMessage?: string
}

export interface RequestResult extends AttemptAnswer, PricedDetail {
  readonly status: number
  /** What is said about the error. */
  readonly errorMessage?: string
  /** What the last attempt has used, where the counts have those of others too. @default the counts */
  readonly ofAttempt?: AttemptAnswer
  readonly estimated?: boolean
  readonly partial?: boolean
  readonly images?: number
  /** Set for an answer of the cache. */
  readonly cacheHit?: true
  /** Seconds of sound that was transcribed. */
  readonly audioSeconds?: number
  /** Characters that were spoken. */
  readonly characters?: number
  /** How the images were made. */
  readonly imageForm?: ImageForm
  /** Search units of reranking, each of which has the price of a request. @default 1 */
  readonly requests?: number
  /** Absent where no price is known. */
  readonly cost?: Nanodollars
}

export interface RequestAccountsOptions {
  readonly recorder: UsageRecorder
  readonly emit: Emit
  readonly now: () => Date
  readonly newId: () => string
  /** `undefined` where requests are not logged. */
  readonly log: Pick<RequestLogWriter, 'ended' | 'refused'> | undefined
}

export function createRequestAccounts({ recorder, emit, now, newId, log }: RequestAccountsOptions): RequestAccounts {
  const tracer = requestTracer()
  const idPrefix = newId()
  let records = 0
  // Ids in sequence, so that the index of a database inserts them at one place.
  const nextId = () => {
    records += 1
    return `${idPrefix}-${records.toString(36).padStart(8, '0')}` as UsageId // the only place that creates ids
  }
  const refusedEntry = (
    { requestId, caller }: GatewayCall,
    { operation, model, streamed = false }: RefusedRequest,
    refusal: Refusal,
  ): LoggedRequest => ({
    id: nextId(),
    at: now(),
    requestId,
    caller: caller.type,
    ...requestOwnerOf(caller),
    operation,
    ...(model === undefined ? {} : { model: writable(model) }),
    streamed,
    ...nothingUsed,
    estimated: false,
    partial: false,
    status: refusalStatus[refusal.type],
    latencyMs: 0,
    images: 0,
    errorType: refusal.type,
    ...loggedMessage(refusalMessage(refusal)),
    ...('holder' in refusal && { refusedBy: refusal.holder }),
    attempts: [],
  })
  const parts: AccountParts = { recorder, emit, now, log }
  return {
    open(call, request) {
      const { id = nextId(), operation, streamed, endUser } = request
      const model = writable(request.model)
      const span = startRequestSpan(tracer, { operation, model, streamed, fields: request.fields })
      emit('request.started', { requestId: call.requestId, operation, model })
      return new OpenAccount(parts, call, { id, operation, model, streamed, endUser }, span)
    },
    unsettled: ({ caller }, { operation, model, streamed, endUser }) => ({
      id: nextId(),
      at: now(),
      ...requestOwnerOf(caller),
      ...(endUser === undefined ? {} : { endUser }),
      operation,
      model: writable(model),
      streamed,
      ...nothingUsed,
      estimated: true,
      partial: true,
      status: 500,
      latencyMs: 0,
      images: 0,
    }),
    refused:
      log &&
      ((call, request, refusal) => log.refused(call.caller, () => refusedEntry(call, request, refusal), call.content)),
  }
}

const nothingUsed = { inputTokens: 0, outputTokens: 0, ...wholeDetail({}, 0, 0) }

const loggedMessage = (message: string | undefined): { readonly errorMessage?: string } =>
  message === undefined ? {} : { errorMessage: message.slice(0, MAX_UNMASKED_MESSAGE) }

const writable = (text: string): string => text.replace(UNWRITABLE, '\ufffd')

type AccountParts = Omit<RequestAccountsOptions, 'newId'>

type OpenRequest = RecordedRequest & { readonly id: UsageId }

/** Has no reference to the call, which refers to the bytes of the request: a stream may be open for long. */
class OpenAccount implements RequestAccount {
  provider: string | undefined
  upstreamModel: string | undefined
  readonly #parts: AccountParts
  readonly #requestId: string
  readonly #caller: Caller
  readonly #request: OpenRequest
  readonly #span: RequestSpan
  readonly #content: CapturedContent | undefined
  readonly #startedAt = performance.now()
  /** `undefined` where requests are not logged. */
  readonly #route: AttemptLog | undefined
  #attempt: AttemptSpan | undefined
  #firstTokenMs: number | undefined
  #open = true

  constructor(
    parts: AccountParts,
    { requestId, caller, content }: GatewayCall,
    request: OpenRequest,
    span: RequestSpan,
  ) {
    this.#parts = parts
    this.#requestId = requestId
    this.#caller = caller
    this.#request = request
    this.#span = span
    this.#content = content
    if (parts.log) this.#route = new AttemptLog(this.#startedAt)
  }

  attempt(by: SpanProvider, model: string | undefined, cause: AttemptCause): Readonly<Record<string, string>> {
    this.#route?.begin(by.id, model, cause)
    this.#attempt = this.#span.attempt(by, model)
    return this.#attempt.headers
  }

  attemptEnded(failed: FailedAttemptResult): void {
    this.#route?.end(failed.status, failed.errorType, failed.errorMessage)
    this.#attempt?.end(failed)
    this.#attempt = undefined
  }

  passedOver(
    by: SpanProvider,
    model: string | undefined,
    cause: AttemptCause,
    reason: PassedOver,
    { status, errorType, errorMessage }: FailedAttemptResult,
  ): void {
    this.#route?.begin(by.id, model, cause, reason)
    this.#route?.end(status, errorType, errorMessage)
  }

  firstByte(): void {
    this.#firstTokenMs = Math.round(performance.now() - this.#startedAt)
    const { operation, model } = this.#request
    const started = { requestId: this.#requestId, operation, model }
    this.#attempt?.firstChunk()
    this.#parts.emit('request.first-byte', started, this.#firstTokenMs)
  }

  close(result: RequestResult, keep?: (record: UsageRecord) => void): void {
    if (!this.#open) return
    this.#open = false
    const { recorder, emit, now, log } = this.#parts
    const { id, operation, model, streamed, endUser } = this.#request
    const caller = this.#caller
    const { errorType, responseModel, inputTokens = 0, outputTokens = 0, cost } = result
    const record: Writable<UsageRecord> = {
      id,
      at: now(),
      ...requestOwnerOf(caller),
      operation,
      model,
      streamed,
      inputTokens,
      outputTokens,
      ...wholeDetail(result, inputTokens, outputTokens),
      estimated: result.estimated ?? false,
      partial: result.partial ?? false,
      status: result.status,
      latencyMs: Math.round(performance.now() - this.#startedAt),
      images: result.images ?? 0,
    }
    // Not in the literal, where each would be an object to spread.
    if (endUser !== undefined) record.endUser = endUser
    if (this.provider !== undefined) record.provider = this.provider
    if (this.upstreamModel !== undefined) record.upstreamModel = writable(this.upstreamModel)
    if (cost !== undefined) record.cost = cost
    if (this.#firstTokenMs !== undefined) record.firstTokenMs = this.#firstTokenMs
    if (result.cacheHit) record.cacheHit = true
    if (keep) keep(record)
    else recorder.record(record)
    this.#endAttempt(result)
    this.#span.end(record, result)
    if (log) this.#log(record, result)
    emit('request.finished', record, {
      requestId: this.#requestId,
      ...(errorType === undefined ? {} : { errorType }),
      ...(responseModel === undefined ? {} : { responseModel }),
    })
  }

  #endAttempt(result: RequestResult): void {
    const { status, errorType, errorMessage } = result
    this.#route?.end(status, errorType, errorMessage)
    this.#attempt?.end({ ...result, ...result.ofAttempt })
    this.#attempt = undefined
  }

  #log(record: UsageRecord, { errorType, errorMessage }: RequestResult): void {
    const { attempts = [], omitted = 0 } = this.#route ?? {}
    const entry: LoggedRequest = {
      ...record,
      requestId: this.#requestId,
      caller: this.#caller.type,
      ...(errorType === undefined ? {} : { errorType }),
      ...loggedMessage(errorMessage),
      attempts,
      ...(omitted > 0 && { omittedAttempts: omitted }),
    }
    this.#parts.log?.ended(entry, this.#content)
  }
}
