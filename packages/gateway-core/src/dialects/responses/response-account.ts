import { isObject } from '../../chat/is-object.ts'
import { readDetail, searchesIn, serviceTierIn } from '../../usage/read-detail.ts'
import { isTokenCount } from '../../usage/token-count.ts'
import type { PricedDetail } from '../../usage/usage-detail.ts'
import type { JsonObject } from '../dialect.ts'
import { objectOf, textOf } from '../json-values.ts'
import { OutputEstimate, startOfText } from '../streams/output-estimate.ts'

/** The statuses of a response that has ended. */
const endStatuses: ReadonlySet<string> = new Set(['completed', 'incomplete', 'failed', 'cancelled'])

/** Other events repeat the texts of deltas. */
const DELTA = startOfText('delta')

/** The metadata and usage of a response, whole or streamed. Any field of an upstream may be malformed. */
export class ResponseAccount {
  id: string | undefined
  model: string | undefined
  inputTokens: number | undefined
  outputTokens: number | undefined
  detail: PricedDetail = {}
  /** `completed`, `incomplete`, `failed` or `cancelled`; `undefined` before the end. */
  finish: string | undefined
  protected readonly output = new OutputEstimate(DELTA)

  /** An estimate of the output tokens, from the events of a stream. */
  get pieces(): number {
    return this.output.tokens
  }

  /** Reads one event of a stream. @param value the event; `undefined` for one with only a part of the answer */
  read(value: unknown): void {
    if (!isObject(value)) {
      this.output.add(0)
      return
    }
    if (isObject(value.response)) this.readAnswer(value.response)
    else if (typeof value.type === 'string' && value.type.endsWith('.delta'))
      this.output.add(textOf(value.delta)?.length ?? 0)
    else if (value.type === 'error') this.finish ??= 'failed'
  }

  /** Reads a whole response. */
  readAnswer(response: JsonObject): void {
    this.id ??= textOf(response.id)
    this.model ??= textOf(response.model)
    const status = textOf(response.status)
    if (status !== undefined && endStatuses.has(status)) this.finish = status
    const usage = objectOf(response.usage)
    if (usage) this.#readUsage(usage)
    if (this.finish !== undefined)
      this.detail = { ...this.detail, ...serviceTierIn(response), ...searchesIn(response.output) }
  }

  /** Whether the response has ended. */
  get isFinished(): boolean {
    return this.finish !== undefined
  }

  #readUsage(usage: JsonObject): void {
    this.inputTokens = countOf(usage.input_tokens) ?? this.inputTokens
    this.outputTokens = countOf(usage.output_tokens) ?? this.outputTokens
    this.detail = { ...this.detail, ...readDetail(usage) }
  }
}

const countOf = (value: unknown): number | undefined => (isTokenCount(value) ? value : undefined)
