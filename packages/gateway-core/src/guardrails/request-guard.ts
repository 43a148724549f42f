import { err, ok, type Result } from 'neverthrow'
import type { GatewayCall } from '../caller.ts'
import type { Emit } from '../events/create-events.ts'
import type { CheckedGuardrail } from './checked-guardrails.ts'
import type { GuardedSide, GuardrailContext, GuardrailFinding, GuardrailVerdict } from './guardrail.ts'
import type { GuardrailError } from './guardrail-error.ts'

export interface RequestGuardParts {
  readonly guardrails: readonly CheckedGuardrail[]
  readonly moderate: (
    call: Pick<GatewayCall, 'requestId'>,
    signal: AbortSignal,
    ...request: Parameters<GuardrailContext['moderate']>
  ) => ReturnType<GuardrailContext['moderate']>
  readonly emit: Emit
  readonly onFault: (error: unknown) => void
}

/** The most categories that a verdict reports. */
const MOST_CATEGORIES = 20
const LONGEST_CATEGORY = 100

/** Checks the texts of one request, or of its answer. */
export class RequestGuard {
  readonly guardrails: readonly CheckedGuardrail[]
  readonly #parts: RequestGuardParts
  readonly #call: Pick<GatewayCall, 'requestId' | 'caller' | 'signal'>
  readonly #model: string
  readonly #side: GuardedSide
  /** Each finding is an event once for a request. */
  readonly #reported = new Set<string>()

  constructor(parts: RequestGuardParts, call: GatewayCall, side: GuardedSide, model: string) {
    const { requestId, caller, signal } = call
    this.#parts = parts
    // Without the rest of the call, which refers to the bytes of the request.
    this.#call = { requestId, caller, signal }
    this.#side = side
    this.#model = model
    this.guardrails = parts.guardrails.filter(({ on }) => on.includes(side))
  }

  /** Has all guardrails check texts in their order, each with what the one before it has returned. */
  async check(texts: readonly string[]): Promise<Result<readonly string[], GuardrailError>> {
    let checked = texts
    if (texts.length === 0) return ok(texts)
    for (const guardrail of this.guardrails) {
      const passed = await this.checkWith(guardrail, checked, '')
      if (passed.isErr()) return err(passed.error)
      checked = passed.value
    }
    return ok(checked)
  }

  /** Has guardrails check structural values. One that would be masked blocks. */
  async checkStructure(texts: readonly string[]): Promise<Result<void, GuardrailError>> {
    if (texts.length === 0) return ok()
    for (const guardrail of this.guardrails) {
      if (!guardrail.checksStructure) continue
      const verdict = await this.#verdictOf(guardrail, texts, '')
      if (verdict?.type === 'mask') return err(this.blocked(guardrail.id, verdict.categories[0] ?? 'masked'))
      const passed = this.#passed(guardrail, texts, verdict)
      if (passed.isErr()) return err(passed.error)
    }
    return ok()
  }

  /** @param preceding what the client has of the text already */
  async checkWith(
    guardrail: CheckedGuardrail,
    texts: readonly string[],
    preceding: string,
  ): Promise<Result<readonly string[], GuardrailError>> {
    return this.#passed(guardrail, texts, await this.#verdictOf(guardrail, texts, preceding))
  }

  #passed(
    { id, onFailure }: CheckedGuardrail,
    texts: readonly string[],
    verdict: GuardrailVerdict | undefined,
  ): Result<readonly string[], GuardrailError> {
    if (verdict === undefined) {
      if (onFailure === 'admit') return ok(texts)
      return err({ type: 'guardrail-failed', guardrail: id })
    }
    if (verdict.type === 'pass') return ok(texts)
    if (verdict.type === 'block') {
      const { message, category } = verdict
      return err(this.blocked(id, category, message))
    }
    for (const category of verdict.categories.slice(0, MOST_CATEGORIES))
      this.found(id, { type: verdict.type, category })
    return ok(verdict.type === 'mask' ? verdict.texts : texts)
  }

  /** Creates what a guardrail gets besides the texts. */
  contextOf(signal: AbortSignal, preceding = ''): GuardrailContext {
    const { requestId, caller } = this.#call
    return {
      requestId,
      caller,
      side: this.#side,
      model: this.#model,
      signal,
      preceding,
      moderate: (model, texts) => this.#parts.moderate(this.#call, signal, model, texts),
    }
  }

  get signal(): AbortSignal {
    return this.#call.signal
  }

  /** Emits a finding, and returns the error of the request. */
  blocked(guardrail: string, category: string, message?: string): GuardrailError {
    const short = this.found(guardrail, { type: 'block', category })
    return { type: 'guardrail-blocked', guardrail, category: short, message }
  }

  /** Emits a finding. @returns its category, shortened */
  found(guardrail: string, { type, category }: GuardrailFinding): string {
    const short = String(category).slice(0, LONGEST_CATEGORY)
    const key = `${guardrail}\n${type}\n${short}`
    if (this.#reported.has(key)) return short
    this.#reported.add(key)
    const { requestId, caller } = this.#call
    const about = { requestId, caller, guardrail, side: this.#side, model: this.#model, category: short }
    this.#parts.emit(events[type], about)
    return short
  }

  /** Reports a fault of a guardrail. */
  failed(guardrail: string, error: unknown): void {
    const { requestId, caller } = this.#call
    this.#parts.emit('guardrail.failed', { requestId, caller, guardrail, side: this.#side, model: this.#model })
    this.#parts.onFault(error)
  }

  async #verdictOf(
    guardrail: CheckedGuardrail,
    texts: readonly string[],
    preceding: string,
  ): Promise<GuardrailVerdict | undefined> {
    const own = new AbortController()
    const signal = AbortSignal.any([own.signal, this.#call.signal])
    let timer: ReturnType<typeof setTimeout> | undefined
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        const error = new Error(`The guardrail '${guardrail.id}' has not answered in time.`)
        own.abort(error)
        reject(error)
      }, guardrail.timeoutMs)
    })
    try {
      const verdict = await Promise.race([guardrail.check(texts, this.contextOf(signal, preceding)), late])
      if (verdict.type === 'mask' && verdict.texts.length !== texts.length) {
        throw new TypeError(`The guardrail '${guardrail.id}' has not returned a text for each.`)
      }
      return verdict
    } catch (error) {
      if (!this.#call.signal.aborted) this.failed(guardrail.id, error)
      return undefined
    } finally {
      clearTimeout(timer)
    }
  }
}

const events = {
  block: 'guardrail.blocked',
  mask: 'guardrail.masked',
  report: 'guardrail.reported',
} as const
