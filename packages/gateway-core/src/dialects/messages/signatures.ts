import { isObject } from '../../chat/is-object.ts'
import { parseJson } from '../../chat/parse-json.ts'
import { fromBase64, toBase64 } from '../base64-text.ts'
import type { ReasoningPart } from '../conversation/conversation-parts.ts'
import { countIn, given, listOr, textIn } from './fields.ts'

const TAG = 'trivium.'
const SEPARATOR = '\n\n'
/** The most summaries that are restored. */
const MAX_SUMMARIES = 1000

/** Returns whether Anthropic did not make the signature: it is one of the gateway, empty or absent. */
export const isForeignSignature = (signature: unknown): boolean =>
  typeof signature !== 'string' || signature === '' || signature.startsWith(TAG)

/** Returns the text that a thinking block shows. */
export const shownReasoning = ({ text, summary }: ReasoningPart): string =>
  [...(text === '' ? [] : [text]), ...summary].join(SEPARATOR)

/**
 * Returns the signature of a thinking block: that of Anthropic, or one of the gateway, which keeps the encrypted reasoning
 * of another upstream and the lengths of its summaries.
 */
export function signatureOf(part: ReasoningPart): string {
  if (part.signature !== undefined) return part.signature
  const kept = {
    ...given('i', part.id),
    ...given('e', part.encrypted),
    ...(part.text === '' ? {} : { t: part.text.length }),
    ...(part.summary.length === 0 ? {} : { s: part.summary.slice(0, MAX_SUMMARIES).map(({ length }) => length) }),
  }
  return TAG + toBase64(JSON.stringify(kept))
}

/** Reads a thinking block. A signature of the gateway restores what it keeps. */
export function reasoningFrom(thinking: string, signature: string): ReasoningPart {
  if (!signature.startsWith(TAG)) {
    return { type: 'reasoning', text: thinking, summary: [], ...given('signature', textIn(signature)) }
  }
  const kept = parseJson(fromBase64(signature.slice(TAG.length)))
  if (!isObject(kept)) return { type: 'reasoning', text: thinking, summary: [] }
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
