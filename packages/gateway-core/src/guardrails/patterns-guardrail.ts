import { checkOptions, type OptionNames } from '../check-options.ts'
import { compilePatterns, type PatternsOptions } from '../patterns/compile-patterns.ts'
import { Turns } from '../turns.ts'
import type { GuardedSide, Guardrail, GuardrailVerdict } from './guardrail.ts'

/** What to look for, and what happens where it is found. */
export interface PatternsGuardrailOptions extends PatternsOptions {
  /** Names the guardrail to clients and in events. @default 'patterns' */
  readonly id?: string
  /** Whether requests, answers or both are checked. @default both */
  readonly on?: readonly GuardedSide[]
  /** What happens where a pattern matches. @default 'mask' */
  readonly action?: 'block' | 'mask' | 'report'
}

const names: OptionNames<PatternsGuardrailOptions> = {
  id: true,
  on: true,
  action: true,
  names: true,
  expressions: true,
  words: true,
}

const actions: readonly unknown[] = ['block', 'mask', 'report']

/** A large body takes its turns, so it needs more than a request to a service. */
const TIMEOUT_MS = 60_000

/**
 * Creates a guardrail that finds secrets, personal data and words. Streams are passed on but for what may become a match:
 * at most 512 characters, and with names and words only usually none.
 *
 * @throws TypeError for an option, a pattern or a word that is not accepted
 * @throws RangeError for too many of them
 *
 * @example
 * ```ts
 * import { patternsGuardrail } from '@trivium/gateway-core'
 *
 * const guardrail = patternsGuardrail({ names: ['secret', 'card'], action: 'mask' })
 * ```
 */
export function patternsGuardrail(options: PatternsGuardrailOptions): Guardrail {
  checkOptions('patternsGuardrail', options, names)
  const { id = 'patterns', on = ['input', 'output'], action = 'mask' } = options
  if (!actions.includes(action)) throw new TypeError("'action' must be 'block', 'mask' or 'report'.")
  const patterns = compilePatterns(options)
  return {
    id,
    on,
    reportsOnly: action === 'report',
    timeoutMs: TIMEOUT_MS,
    checksStructure: true,
    async check(texts, { signal }): Promise<GuardrailVerdict> {
      const found = new Set<string>()
      const turns = new Turns(signal)
      const masked: string[] = []
      for (const text of texts) {
        masked.push(await patterns.maskInTurns(text, { turns, onMatch: (name) => found.add(name) }))
        const [category] = found
        if (category !== undefined && action === 'block') return { type: 'block', category }
      }
      if (found.size === 0) return { type: 'pass' }
      const categories = [...found]
      return action === 'mask' ? { type: 'mask', texts: masked, categories } : { type: 'report', categories }
    },
    open(_, found) {
      const masker = patterns.open((category) => found({ type: action, category }))
      if (action !== 'report') return masker
      return {
        push(piece) {
          masker.push(piece)
          return piece
        },
        end() {
          masker.end()
          return ''
        },
      }
    },
  }
}
