import { operationName } from '../telemetry/request-span.ts'
import type { UsageRecord } from '../usage/usage-record.ts'

/** The most label sets that are kept. A new one then begins the collection again. */
const MAX_SETS = 10_000

type LabelledRecord = Pick<UsageRecord, 'operation' | 'provider' | 'status'>

/** The labels of all metrics of requests that have the same values. */
export class RequestLabels {
  readonly plain
  readonly withError
  readonly withStatus
  readonly input
  readonly output
  readonly #parts = new Map<string, { readonly type: string }>()

  constructor({ operation, provider, status }: LabelledRecord, model: string, errorType: string | undefined) {
    const plain = {
      'gen_ai.operation.name': operationName(operation),
      'gen_ai.request.model': model,
      ...(provider === undefined ? {} : { 'gen_ai.provider.name': provider }),
    }
    this.plain = plain
    this.withError = errorType === undefined ? plain : { ...plain, 'error.type': errorType }
    this.withStatus = { ...plain, status: String(status) }
    this.input = { ...plain, 'gen_ai.token.type': 'input' }
    this.output = { ...plain, 'gen_ai.token.type': 'output' }
  }

  /** Returns the labels of tokens that are a part of others. */
  ofPart(type: string): { readonly type: string } {
    const known = this.#parts.get(type)
    if (known) return known
    const made = { ...this.plain, type }
    this.#parts.set(type, made)
    return made
  }
}

/** Keeps the labels of requests, so that recorders receive the same object for the same values. */
export class RequestLabelSets {
  readonly #sets = new Map<string, RequestLabels>()

  of(record: LabelledRecord, model: string, errorType: string | undefined): RequestLabels {
    const key = `${record.operation}\n${record.provider}\n${record.status}\n${errorType}\n${model}`
    const known = this.#sets.get(key)
    if (known) return known
    if (this.#sets.size >= MAX_SETS) this.#sets.clear()
    const made = new RequestLabels(record, model, errorType)
    this.#sets.set(key, made)
    return made
  }
}
