import type { Dialect } from '../dialect.ts'
import type { ReasoningPart } from './conversation-parts.ts'

const names = { responses: 'reasoning', messages: 'thinking' }

/** Returns the client's name of reasoning in an earlier turn. Clients of chat completions have several. */
export function reasoningName(dialect: Dialect, { at = '' }: ReasoningPart): string {
  if (dialect !== 'chat') return names[dialect]
  if (at.includes('.thinking_blocks[')) return 'thinking_blocks'
  if (at.includes('.content[')) return 'thinking'
  return at.endsWith('.reasoning') ? 'reasoning' : 'reasoning_content'
}
