import type { CheckedGuardrail } from '../checked-guardrails.ts'
import type { GuardedText } from '../guardrail.ts'
import type { RequestGuard } from '../request-guard.ts'
import { StreamBlocked } from './stream-blocked.ts'
import type { WorkingTurns } from './working-turns.ts'

/** The characters between two looks at the clock. */
const PIECE = 1_024
/** Of what the client has already, for a check of a step. */
const MOST_PRECEDING = 1_000

/** One text of a stream. Its methods throw, or reject with, a {@link StreamBlocked}. */
export class TextChannel {
  readonly #stages: readonly Stage[]
  readonly #turns: WorkingTurns

  /** @param turns those of the stream */
  constructor(guard: RequestGuard, turns: WorkingTurns) {
    this.#turns = turns
    this.#stages = guard.guardrails.map((guardrail) =>
      guardrail.open ? new OpenStage(guard, guardrail, guardrail.open) : new StepStage(guard, guardrail),
    )
  }

  /** @returns what may be passed on, after this piece */
  push(piece: string): string | Promise<string> {
    return piece.length > PIECE ? this.#pushInTurns(piece) : this.#through(piece, 0)
  }

  /** @returns the rest */
  async end(): Promise<string> {
    let rest = ''
    for (const stage of this.#stages) {
      const passed: string = await stage.push(rest)
      rest = passed + (await stage.end())
      if (this.#turns.isDue) await this.#turns.next()
    }
    return rest
  }

  #through(piece: string, from: number): string | Promise<string> {
    let passed = piece
    for (let at = from; at < this.#stages.length; at += 1) {
      const next = this.#stages[at]?.push(passed) ?? passed
      if (typeof next !== 'string') return next.then((text) => this.#through(text, at + 1))
      passed = next
      if (this.#turns.isDue) return this.#turns.next().then(() => this.#through(next, at + 1))
    }
    return passed
  }

  async #pushInTurns(text: string): Promise<string> {
    let passed = ''
    for (let at = 0; at < text.length; at += PIECE) {
      passed += await this.#through(text.slice(at, at + PIECE), 0)
    }
    return passed
  }
}

interface Stage {
  push(piece: string): string | Promise<string>
  end(): string | Promise<string>
}

/** A guardrail that reads a text as it arrives. */
class OpenStage implements Stage {
  readonly #text: GuardedText
  readonly #guard: RequestGuard
  readonly #guardrail: CheckedGuardrail
  #blocked: StreamBlocked | undefined

  constructor(guard: RequestGuard, guardrail: CheckedGuardrail, open: NonNullable<CheckedGuardrail['open']>) {
    this.#guard = guard
    this.#guardrail = guardrail
    this.#text = open(guard.contextOf(guard.signal), (finding) => {
      if (finding.type !== 'block') guard.found(guardrail.id, finding)
      else this.#blocked ??= new StreamBlocked(guard.blocked(guardrail.id, finding.category))
    })
  }

  push(piece: string): string {
    return this.#run(() => (piece === '' ? '' : this.#text.push(piece)), piece)
  }

  end(): string {
    return this.#run(() => this.#text.end(), '')
  }

  #run(step: () => string, unchecked: string): string {
    let passed: string
    try {
      passed = step()
    } catch (error) {
      this.#guard.failed(this.#guardrail.id, error)
      if (this.#guardrail.onFailure === 'admit') return unchecked
      throw new StreamBlocked({ type: 'guardrail-failed', guardrail: this.#guardrail.id })
    }
    if (this.#blocked) throw this.#blocked
    return passed
  }
}

/** A guardrail that reads steps of a text. */
class StepStage implements Stage {
  readonly #guard: RequestGuard
  readonly #guardrail: CheckedGuardrail
  #held = ''
  #preceding = ''

  constructor(guard: RequestGuard, guardrail: CheckedGuardrail) {
    this.#guard = guard
    this.#guardrail = guardrail
  }

  push(piece: string): string | Promise<string> {
    this.#held += piece
    return this.#held.length < this.#guardrail.stepCharacters ? '' : this.end()
  }

  end(): string | Promise<string> {
    return this.#held === '' ? '' : this.#check()
  }

  async #check(): Promise<string> {
    const step = this.#held
    this.#held = ''
    const checked = await this.#guard.checkWith(this.#guardrail, [step], this.#preceding)
    if (checked.isErr()) throw new StreamBlocked(checked.error)
    const text = checked.value[0] ?? ''
    this.#preceding = (this.#preceding + text).slice(-MOST_PRECEDING)
    return text
  }
}
