import type { ReasoningPart } from '../conversation/conversation-parts.ts'
import type { JsonObject } from '../dialect.ts'

/** Returns what a client sees of reasoning: the reasoning itself, or its summaries. */
export const visibleReasoning = ({ text, summary }: ReasoningPart): string =>
  text === '' ? summary.join('\n\n') : text

/** Returns a block that a client sends back unchanged, because the upstream verifies it. */
export function thinkingBlock({ text, signature, redacted }: ReasoningPart): JsonObject {
  if (redacted !== undefined) return { type: 'redacted_thinking', data: redacted }
  return { type: 'thinking', thinking: text, signature: signature ?? '' }
}

export const isVerified = ({ signature, redacted }: ReasoningPart): boolean =>
  signature !== undefined || redacted !== undefined

/** Writes the extensions of a message: its reasoning as a text, and as blocks where an upstream verifies one of them. */
export function reasoningFields(parts: readonly ReasoningPart[]): JsonObject {
  const text = parts.map(visibleReasoning).join('')
  return {
    ...(text === '' ? {} : { reasoning_content: text }),
    ...(parts.some(isVerified) ? { thinking_blocks: parts.map(thinkingBlock) } : {}),
  }
}
