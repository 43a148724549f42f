import { ok, type Result } from 'neverthrow'
import { decodedPieces, type Escapes, MOST_LEVELS, type Steps, withChange } from '../../patterns/json-escapes.ts'
import { Turns } from '../../turns.ts'
import type { GuardrailError } from '../guardrail-error.ts'
import type { RequestGuard } from '../request-guard.ts'

/** How often texts are checked again, where both what they are and what their escapes hide has changed. */
const MOST_ROUNDS = 4

/** A text, or what its escapes hide. */
interface Reading {
  /** The position of the text. */
  readonly at: number
  readonly text: string
  /** Returns the text with a change of the reading. */
  readonly changed: (reading: string) => Steps<string>
}

/** Has guardrails check texts, and what escapes of JSON hide in them, also in JSON within JSON. */
export async function checkedTexts(
  guard: RequestGuard,
  texts: readonly string[],
  turns: Pick<Turns, 'isDue' | 'next'> = new Turns(),
): Promise<Result<readonly string[], GuardrailError>> {
  const current = [...texts]
  let open = texts.map((_, at) => at)
  for (let round = 0; round < MOST_ROUNDS && open.length > 0; round += 1) {
    const readings: Reading[] = []
    for (const at of open) {
      const text = current[at] ?? ''
      if (round === 0) readings.push({ at, text, changed: asItIs })
      if (text.includes('\\')) readings.push(...(await decodedReadings(at, text, turns)))
    }
    const checked = await guard.check(readings.map(({ text }) => text))
    if (checked.isErr()) return checked
    const changed = new Set<number>()
    for (const [position, { at, text, changed: change }] of readings.entries()) {
      const reading = checked.value[position] ?? ''
      if (reading === text) continue
      // Another reading of the text may be of what has changed already.
      if (!changed.has(at)) current[at] = await inTurns(change(reading), turns)
      changed.add(at)
    }
    open = [...changed].filter((at) => current[at]?.includes('\\'))
  }
  return ok(current)
}

async function decodedReadings(
  at: number,
  text: string,
  turns: Pick<Turns, 'isDue' | 'next'>,
): Promise<readonly Reading[]> {
  const letters = await decodedInTurns(text, 'letters', turns)
  const readings: Reading[] = []
  if (letters !== text) {
    readings.push({ at, text: letters, changed: (reading) => withChange(text, letters, reading, 'letters') })
  }
  if (!letters.includes('\\\\')) return readings
  const levels = [text]
  for (let whole = text; levels.length <= MOST_LEVELS && whole.includes('\\'); levels.push(whole)) {
    whole = await decodedInTurns(whole, 'all', turns)
  }
  const changed = (reading: string) => (isJson(text) ? asItIs(JSON.stringify(reading)) : withLevels(levels, reading))
  return [...readings, { at, text: levels.at(-1) ?? '', changed }]
}

async function decodedInTurns(text: string, escapes: Escapes, turns: Pick<Turns, 'isDue' | 'next'>): Promise<string> {
  let decoded = ''
  for (const piece of decodedPieces(text, escapes)) {
    decoded += piece
    if (turns.isDue) await turns.next()
  }
  return decoded
}

async function inTurns(steps: Steps<string>, turns: Pick<Turns, 'isDue' | 'next'>): Promise<string> {
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
    if (turns.isDue) await turns.next()
  }
}

// biome-ignore lint/correctness/useYield: It takes one step.
function* asItIs(text: string): Steps<string> {
  return text
}

/** Returns whether a text looks like JSON. To parse it could take longer than a turn. */
const isJson = (text: string): boolean => /^\s{0,100}["[{]/.test(text) && /["\]}]$/.test(text.trimEnd().slice(-1))

/** Returns a text with a change of its last level. */
function* withLevels(levels: readonly string[], reading: string): Steps<string> {
  let changed = reading
  for (let depth = levels.length - 1; depth > 0; depth -= 1) {
    changed = yield* withChange(levels[depth - 1] ?? '', levels[depth] ?? '', changed, 'all')
  }
  return changed
}
