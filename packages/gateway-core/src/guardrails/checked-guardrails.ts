import { checkRange } from '../check-range.ts'
import type { GuardedSide, Guardrail } from './guardrail.ts'

/** A guardrail with its defaults. */
export interface CheckedGuardrail extends Guardrail {
  readonly stepCharacters: number
  readonly timeoutMs: number
  readonly onFailure: 'refuse' | 'admit'
}

const ID = /^[a-z0-9_-]{1,64}$/
const MOST = 50
const sides: readonly unknown[] = ['input', 'output'] satisfies readonly GuardedSide[]

/**
 * Adds the defaults.
 *
 * @throws TypeError for a guardrail that is malformed, and an id that occurs twice
 * @throws RangeError for a number that is out of range, and for more than 50 guardrails
 */
export function checkedGuardrails(guardrails: readonly Guardrail[]): readonly CheckedGuardrail[] {
  if (!Array.isArray(guardrails)) throw new TypeError("'guardrails' must be a list of guardrails.")
  if (guardrails.length > MOST) throw new RangeError(`'guardrails' must have at most ${MOST}.`)
  const ids = new Set<string>()
  return guardrails.map((guardrail: Guardrail) => {
    const { id, on, stepCharacters = 1_000, timeoutMs = 5_000, onFailure = 'refuse' } = guardrail
    if (typeof id !== 'string' || !ID.test(id)) throw new TypeError("'guardrails' has one with a malformed 'id'.")
    if (ids.has(id)) throw new TypeError(`'guardrails' has '${id}' twice.`)
    ids.add(id)
    if (!Array.isArray(on) || on.length === 0 || !on.every((side) => sides.includes(side))) {
      throw new TypeError(`'on' of the guardrail '${id}' must have 'input', 'output' or both.`)
    }
    if (typeof guardrail.check !== 'function') throw new TypeError(`The guardrail '${id}' has no 'check'.`)
    if (onFailure !== 'refuse' && onFailure !== 'admit') {
      throw new TypeError(`'onFailure' of the guardrail '${id}' must be 'refuse' or 'admit'.`)
    }
    checkRange({ [`guardrails.${id}.stepCharacters`]: stepCharacters }, 100, 100_000)
    checkRange({ [`guardrails.${id}.timeoutMs`]: timeoutMs }, 1, 60_000)
    const { open } = guardrail
    return {
      id,
      on,
      stepCharacters,
      timeoutMs,
      onFailure,
      checksStructure: guardrail.checksStructure === true,
      reportsOnly: guardrail.reportsOnly === true,
      check: (texts, context) => guardrail.check(texts, context),
      ...(open && { open: (context, found) => open.call(guardrail, context, found) }),
    }
  })
}
