import type { ReasoningPart } from '../conversation/conversation-parts.ts'
import { countIn, listOr, textIn } from '../json-values.ts'
import { isSealed, type Seals, seal } from '../seals.ts'
import { given } from './fields.ts'

const SEPARATOR = '\n\n'
/** The most summaries that are restored. */
const MAX_SUMMARIES = 1000

/** Returns whether Anthropic did not make the signature: it is one of the gateway, empty or absent. */
export const isForeignSignature = (signature: unknown): boolean =>
  typeof signature !== 'string' || signature === '' || isSealed(signature)

/** Returns the text that a thinking block shows. */
export const shownReasoning = ({ text, summary }: ReasoningPart): string =>
  [...(text === '' ? [] : [text]), ...summary].join(SEPARATOR)

/**
 * Returns the signature of a thinking block: that of Anthropic, or one of the gateway, which keeps the encrypted reasoning
 * of another upstream and the lengths of its summaries.
 */
export function signatureOf(part: ReasoningPart): string {
  if (part.signature !== undefined) return part.signature
  return seal({
    ...given('i', part.id),
    ...given('e', part.encrypted),
    ...(part.text === '' ? {} : { t: part.text.length }),
    ...(part.summary.length === 0 ? {} : { s: part.summary.slice(0, MAX_SUMMARIES).map(({ length }) => length) }),
  })
}

/** Reads a thinking block. A signature of the gateway restores what it keeps. @param at its place in a request */
export function reasoningFrom(thinking: string, signature: string, seals: Seals, at?: string): ReasoningPart {
  if (!isSealed(signature)) {
    return { type: 'reasoning', text: thinking, summary: [], ...given('signature', textIn(signature)) }
  }
  const kept = seals.open(signature, at)
  if (!kept) return { type: 'reasoning', text: thinking, summary: [] }
  const length = countIn(kept.t)
  const lengths = listOr(kept.s)
    .slice(0, MAX_SUMMARIES)
    .map((item) => countIn(item) ?? 0)
  let place = length === undefined ? 0 : length + SEPARATOR.length
  const summary = lengths.map((size) => {
    const from = place
    place += size + SEPARATOR.length
    return thinking.slice(from, from + size)
  })
  return {
    type: 'reasoning',
    text: lengths.length === 0 ? thinking : thinking.slice(0, length ?? 0),
    summary,
    ...given('id', textIn(kept.i)),
    ...given('encrypted', textIn(kept.e)),
  }
}
