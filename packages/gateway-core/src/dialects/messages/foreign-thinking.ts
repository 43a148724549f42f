import type { JsonObject } from '../dialect.ts'
import { listOr, objectOr } from '../json-values.ts'
import { isForeignSignature } from './signatures.ts'

/**
 * Returns the messages without the thinking that Anthropic did not sign, which it refuses: that of other upstreams, which
 * answered earlier turns. `undefined` where all of it is Anthropic's, so that the request keeps its bytes.
 */
export function withoutForeignThinking(messages: unknown): readonly unknown[] | undefined {
  const list = listOr(messages)
  if (!list.some((message) => listOr(objectOr(message).content).some(isForeign))) return undefined
  return list.flatMap((message) => {
    const content = listOr(objectOr(message).content)
    if (!content.some(isForeign)) return [message]
    const kept = content.filter((block) => !isForeign(block))
    return kept.length === 0 ? [] : [{ ...objectOr(message), content: kept } satisfies JsonObject]
  })
}

function isForeign(block: unknown): boolean {
  const { type, signature } = objectOr(block)
  return type === 'thinking' && isForeignSignature(signature)
}
