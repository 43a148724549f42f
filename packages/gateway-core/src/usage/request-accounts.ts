import { ownerOf } from '../accounts/account.ts'
import type { Caller, GatewayCall } from '../caller.ts'
import type { Emit } from '../events/create-events.ts'
import {
  operationName,
  type RequestSpan,
  requestTracer,
  type SpanAnswer,
  startRequestSpan,
} from '../telemetry/request-span.ts'
import type { UsageId, UsageRecord } from './usage-record.ts'
import type { UsageRecorder } from './usage-recorder.ts'

/** Records every admitted request. */
export interface RequestAccounts {
  open(call: GatewayCall, operation: UsageRecord['operation'], model: string, streamed: boolean): RequestAccount
}

/** The record of one running request. Every request closes it when it ends. Only the first call of `close` counts. */
export interface RequestAccount {
  /** Headers for the upstream call. */
  readonly headers: Readonly<Record<string, string>>
  /** The id of the provider that answers, or that failed last. */
  provider: string | undefined
  firstByte(): void
  close(result: RequestResult): void
}

export interface RequestResult extends SpanAnswer {
  readonly status: number
  readonly inputTokens?: number
  readonly outputTokens?: number
  readonly estimated?: boolean
  readonly partial?: boolean
  readonly images?: number
}

export interface RequestAccountsOptions {
  readonly recorder: UsageRecorder
  readonly emit: Emit
  readonly now: () => Date
  readonly newId: () => string
}

export function createRequestAccounts({ recorder, emit, now, newId }: RequestAccountsOptions): RequestAccounts {
  const tracer = requestTracer()
  const idPrefix = newId()
  let records = 0
  // Ids in sequence, so that the index of a database inserts them at one place.
  const nextId = () => {
    records += 1
    return `${idPrefix}-${records.toString(36).padStart(8, '0')}` as UsageId // the only place that creates ids
  }
  const parts: AccountParts = { recorder, emit, now, nextId }
  return {
    open(call, operation, named, streamed) {
      const model = named.replace(UNWRITABLE, '\ufffd')
      const span = startRequestSpan(tracer, operationName(operation), model)
      emit('request.started', { requestId: call.requestId, operation, model })
      return new OpenAccount(parts, call, operation, model, streamed, span)
    },
  }
}

/** Characters that some stores refuse. Some upstreams accept any model name, and one such name would block all records. */
const UNWRITABLE = /[\p{Cc}\p{Cs}]/gu

interface AccountParts extends Omit<RequestAccountsOptions, 'newId'> {
  readonly nextId: () => UsageId
}

/** Has no reference to the call, which refers to the bytes of the request: a stream may be open for long. */
class OpenAccount implements RequestAccount {
  provider: string | undefined
  readonly #parts: AccountParts
  readonly #requestId: string
  readonly #caller: Caller
  readonly #operation: UsageRecord['operation']
  readonly #model: string
  readonly #streamed: boolean
  readonly #span: RequestSpan
  readonly #startedAt = performance.now()
  #firstTokenMs: number | undefined
  #open = true

  constructor(
    parts: AccountParts,
    { requestId, caller }: GatewayCall,
    operation: UsageRecord['operation'],
    model: string,
    streamed: boolean,
    span: RequestSpan,
  ) {
    this.#parts = parts
    this.#requestId = requestId
    this.#caller = caller
    this.#operation = operation
    this.#model = model
    this.#streamed = streamed
    this.#span = span
  }

  get headers(): Readonly<Record<string, string>> {
    return this.#span.headers
  }

  firstByte(): void {
    this.#firstTokenMs = Math.round(performance.now() - this.#startedAt)
    const started = { requestId: this.#requestId, operation: this.#operation, model: this.#model }
    this.#parts.emit('request.first-byte', started, this.#firstTokenMs)
  }

  close(result: RequestResult): void {
    if (!this.#open) return
    this.#open = false
    const { recorder, emit, now, nextId } = this.#parts
    const caller = this.#caller
    const { errorType, responseModel } = result
    const record: UsageRecord = {
      id: nextId(),
      at: now(),
      ...ownerOf(caller),
      operation: this.#operation,
      model: this.#model,
      ...(this.provider === undefined ? {} : { provider: this.provider }),
      streamed: this.#streamed,
      inputTokens: result.inputTokens ?? 0,
      outputTokens: result.outputTokens ?? 0,
      estimated: result.estimated ?? false,
      partial: result.partial ?? false,
      status: result.status,
      latencyMs: Math.round(performance.now() - this.#startedAt),
      ...(this.#firstTokenMs === undefined ? {} : { firstTokenMs: this.#firstTokenMs }),
      images: result.images ?? 0,
    }
    recorder.record(record)
    this.#span.end(record, result)
    emit('request.finished', record, {
      requestId: this.#requestId,
      ...(errorType === undefined ? {} : { errorType }),
      ...(responseModel === undefined ? {} : { responseModel }),
    })
  }
}
