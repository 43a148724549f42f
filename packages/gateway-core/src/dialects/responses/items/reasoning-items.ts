import type { ReasoningPart } from '../../conversation/conversation-parts.ts'
import type { JsonObject } from '../../dialect.ts'
import { objectsOf, present, textOf } from '../../json-values.ts'
import type { Seals } from '../../seals.ts'
import { type OpenedReasoning, openReasoning, sealReasoning } from './reasoning-seal.ts'

/** Reads a reasoning item of a request, which may have what another dialect verifies. */
export function readReturnedReasoning(item: JsonObject, seals: Seals, at: string): ReasoningPart {
  const encrypted = textOf(item.encrypted_content)
  const opened = encrypted === undefined ? {} : openReasoning(encrypted, seals, `${at}.encrypted_content`)
  return { ...reasoningPart(item, opened), at }
}

/** Reads a reasoning item of an upstream. */
export const readReasoning = (item: JsonObject): ReasoningPart =>
  reasoningPart(item, present({ encrypted: textOf(item.encrypted_content) }))

function reasoningPart(item: JsonObject, { text, shown, ...verified }: OpenedReasoning): ReasoningPart {
  const summary = objectsOf(item.summary).map((part) => textOf(part.text) ?? '')
  const own = objectsOf(item.content).map((part) => textOf(part.text) ?? '')
  return {
    type: 'reasoning',
    text: text ?? own.join(''),
    summary: shown ? summary.slice(1) : summary,
    ...present({ id: textOf(item.id) }),
    ...verified,
  }
}

/** @param shown whether the text is the first summary, for clients that request summaries */
export function writeReasoning(part: ReasoningPart, id: string | undefined, shown: boolean): JsonObject {
  const isShown = shown && part.text !== ''
  const summary = isShown ? [part.text, ...part.summary] : part.summary
  return present({
    type: 'reasoning',
    id,
    summary: summary.map((text) => ({ type: 'summary_text', text })),
    content: isShown || part.text === '' ? undefined : [{ type: 'reasoning_text', text: part.text }],
    encrypted_content: sealReasoning(part, isShown),
  })
}
