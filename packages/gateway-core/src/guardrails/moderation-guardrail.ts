import { checkOptions, type OptionNames } from '../check-options.ts'
import { checkRange } from '../check-range.ts'
import type { GuardedSide, Guardrail, GuardrailVerdict, ModerationResult } from './guardrail.ts'

/** Which model judges, what counts, and what happens then. */
export interface ModerationGuardrailOptions extends Pick<Guardrail, 'stepCharacters' | 'timeoutMs' | 'onFailure'> {
  /** A moderation model of the gateway: `provider/model`, or an alias. */
  readonly model: string
  /** Names the guardrail to clients and in events. @default 'moderation' */
  readonly id?: string
  /** Whether requests, answers or both are checked. @default both */
  readonly on?: readonly GuardedSide[]
  /** `mask` replaces a flagged text as a whole, in a stream a step of it. @default 'block' */
  readonly action?: 'block' | 'mask' | 'report'
  /** The categories that count, such as `violence`. @default all of the model */
  readonly categories?: readonly string[]
  /** From which score on a category counts, from 0 to 1. @default where the model flags it */
  readonly thresholds?: Readonly<Record<string, number>>
}

const names: OptionNames<ModerationGuardrailOptions> = {
  model: true,
  id: true,
  on: true,
  action: true,
  categories: true,
  thresholds: true,
  stepCharacters: true,
  timeoutMs: true,
  onFailure: true,
}

const actions: readonly unknown[] = ['block', 'mask', 'report']

/** The characters of a text that a model gets as one. */
const LONGEST_TEXT = 10_000

const MASK = '[MODERATED]'

/**
 * Creates a guardrail that has a moderation model of the gateway judge texts. Each check is a request to its upstream.
 *
 * @throws TypeError for an option that does not exist or is malformed
 * @throws RangeError for a threshold that is out of range
 */
export function moderationGuardrail(options: ModerationGuardrailOptions): Guardrail {
  checkOptions('moderationGuardrail', options, names)
  const { model, id = 'moderation', on = ['input', 'output'], action = 'block', categories, thresholds = {} } = options
  const { stepCharacters, timeoutMs, onFailure } = options
  if (typeof model !== 'string' || model === '') throw new TypeError("'model' must name a moderation model.")
  if (!actions.includes(action)) throw new TypeError("'action' must be 'block', 'mask' or 'report'.")
  checkRange(thresholds, 0, 1)

  const counts = (category: string) => !categories || categories.includes(category)

  const isFlagged = ({ categories: judged, scores }: ModerationResult, category: string): boolean => {
    const threshold = thresholds[category]
    const [value, isOver] =
      threshold === undefined
        ? [judged[category], judged[category] === true]
        : [scores[category], (scores[category] ?? 0) >= threshold]
    if (value === undefined) throw new TypeError(`The moderation model has not judged '${category}'.`)
    return isOver
  }

  const flaggedIn = (result: ModerationResult): readonly string[] => {
    const all = new Set([...Object.keys(result.categories), ...Object.keys(thresholds), ...(categories ?? [])])
    const found = [...all].filter((category) => counts(category) && isFlagged(result, category))
    if (found.length > 0 || !result.flagged || categories) return found
    // No category explains what the model has flagged.
    return Object.values(result.categories).includes(true) ? found : ['flagged']
  }

  return {
    id,
    on,
    reportsOnly: action === 'report',
    ...(stepCharacters === undefined ? {} : { stepCharacters }),
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    ...(onFailure === undefined ? {} : { onFailure }),
    async check(texts, context): Promise<GuardrailVerdict> {
      const { preceding } = context
      const pieces = texts.flatMap((text, index) =>
        piecesOf(index === 0 ? preceding + text : text).map((piece) => ({ index, piece })),
      )
      if (pieces.length === 0) return { type: 'pass' }
      const results = await context.moderate(
        model,
        pieces.map(({ piece }) => piece),
      )
      const found = new Set<string>()
      const flagged = new Set<number>()
      for (const [at, { index }] of pieces.entries()) {
        const result = results[at]
        if (!result) throw new TypeError('The moderation model has not judged each text.')
        for (const category of flaggedIn(result)) {
          found.add(category)
          flagged.add(index)
        }
      }
      const [category] = found
      if (category === undefined) return { type: 'pass' }
      if (action === 'block') return { type: 'block', category }
      const all = [...found]
      if (action === 'report') return { type: 'report', categories: all }
      return { type: 'mask', texts: texts.map((text, index) => (flagged.has(index) ? MASK : text)), categories: all }
    },
  }
}

/** Returns a text in pieces, and none for a blank one. */
function piecesOf(text: string): readonly string[] {
  if (text.trim() === '') return []
  const pieces: string[] = []
  for (let at = 0; at < text.length; at += LONGEST_TEXT) pieces.push(text.slice(at, at + LONGEST_TEXT))
  return pieces
}
