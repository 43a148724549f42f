import type { ProviderError } from '../providers/provider-error.ts'
import { pauseIn } from './rate-headers.ts'

/** The longest pause, also where an upstream requests more: one wrong header must not stop a model for long. */
const LONGEST_MS = 60_000

/** The most models with a pause. The oldest one is removed first. */
const MAX_MODELS = 1_000

/** A time in which an upstream accepts no request for a model. */
export interface UpstreamPause {
  /** Milliseconds from now. */
  readonly remainingMs: number
  /** Whether the upstream has refused a request. Otherwise its headers announce a refusal. */
  readonly isRefusal: boolean
}

/** When the models of an upstream accept requests again, as its answers say. */
export class UpstreamPauses {
  readonly #pauses = new Map<string, { readonly until: number; readonly isRefusal: boolean }>()

  /** Returns the pause of a model. */
  of(model: string): UpstreamPause | undefined {
    const pause = this.#pauses.get(model)
    if (!pause) return undefined
    const remainingMs = pause.until - performance.now()
    if (remainingMs > 0) return { remainingMs, isRefusal: pause.isRefusal }
    this.#pauses.delete(model)
    return undefined
  }

  /** Reads the headers of an answer. Names in lower case. */
  answered(model: string, headers: Readonly<Record<string, string>> | undefined): void {
    const milliseconds = headers && pauseIn(headers, Date.now())
    if (milliseconds) this.#begin(model, milliseconds, false)
    else if (this.#pauses.size > 0) this.#pauses.delete(model)
  }

  /** Reads an error. */
  failed(model: string, error: ProviderError): void {
    const { retryAfterSeconds = 0 } = error
    if (error.type === 'refused' && error.status === 429) this.#begin(model, retryAfterSeconds * 1000, true)
  }

  #begin(model: string, milliseconds: number, isRefusal: boolean): void {
    if (milliseconds <= 0) return
    this.#pauses.delete(model)
    this.#pauses.set(model, { until: performance.now() + Math.min(milliseconds, LONGEST_MS), isRefusal })
    if (this.#pauses.size > MAX_MODELS) this.#pauses.delete(this.#pauses.keys().next().value ?? model)
  }
}
