import * as v from 'valibot'
import { wholeWithin } from '../bounds.ts'

const LONGEST_PROMPT = 1000

/** Counts characters like JSON Schema's `maxLength`. Valibot's own counts some of them twice. */
const isShortEnough = (prompt: string): boolean =>
  prompt.length <= 2 * LONGEST_PROMPT && [...prompt].length <= LONGEST_PROMPT

export const promptSchema = v.pipe(
  v.string(),
  v.minLength(1, 'must not be empty'),
  v.check(isShortEnough, `must have at most ${LONGEST_PROMPT} characters`),
  v.metadata({ maxLength: LONGEST_PROMPT }),
)

/** Images of one request. */
export const imageCountSchema = wholeWithin(1, 10)
