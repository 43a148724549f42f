import * as v from 'valibot'
import { wholeWithin } from '../bounds.ts'

/** Characters of the longest prompt that any model takes. */
export const LONGEST_PROMPT = 32_000

/** Counts characters like JSON Schema's `maxLength`. Valibot's own counts some of them twice. */
const hasAtMost = (most: number, prompt: string): boolean =>
  prompt.length <= most || (prompt.length <= 2 * most && [...prompt].length <= most)

/** A prompt of at most `most` characters. */
export const promptOf = (most: number) =>
  v.pipe(
    v.string(),
    v.minLength(1, 'must not be empty'),
    v.check((prompt) => hasAtMost(most, prompt), `must have at most ${most} characters`),
    v.metadata({ maxLength: most }),
  )

/** Images of one request. */
export const imageCountSchema = wholeWithin(1, 10)
