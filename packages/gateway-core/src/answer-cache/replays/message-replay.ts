import type { JsonObject } from '../../dialects/dialect.ts'
import { listOr, objectOr, objectsOf } from '../../dialects/json-values.ts'
import { messageEvent } from '../../dialects/messages/message-events.ts'

/** Members that a stream has in its last events. */
const endMembers: readonly string[] = ['stop_reason', 'stop_sequence', 'stop_details', 'container']

/** Writes a message as the events of a stream. Each text is one delta. */
export function messageReplay(message: JsonObject): string {
  const { content, usage, context_management: management, ...rest } = message
  // The cost comes with the last event.
  const { cost: _, ...begun } = objectOr(usage)
  const end = endMembers.filter((name) => name in rest)
  const start = Object.fromEntries(
    Object.entries(rest).map(([name, value]) => [name, end.includes(name) ? null : value]),
  )
  const events: readonly JsonObject[] = [
    { type: 'message_start', message: { ...start, content: [], usage: { ...begun, output_tokens: 0 } } },
    ...objectsOf(content).flatMap(blockEvents),
    {
      type: 'message_delta',
      delta: Object.fromEntries(end.map((name) => [name, rest[name]])),
      usage,
      ...(management !== undefined && { context_management: management }),
    },
    { type: 'message_stop' },
  ]
  return events.map(messageEvent).join('')
}

function blockEvents(block: JsonObject, index: number): readonly JsonObject[] {
  const { start, deltas } = piecesOf(block)
  return [
    { type: 'content_block_start', index, content_block: start },
    ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
    { type: 'content_block_stop', index },
  ]
}

/** Returns how a block begins, and what is added to it. Blocks of other types begin as a whole. */
function piecesOf(block: JsonObject): { readonly start: JsonObject; readonly deltas: readonly JsonObject[] } {
  switch (block.type) {
    case 'text': {
      const citations = listOr(block.citations)
      return {
        start: { ...block, text: '', ...(citations.length > 0 && { citations: [] }) },
        deltas: [
          { type: 'text_delta', text: block.text },
          ...citations.map((citation) => ({ type: 'citations_delta', citation })),
        ],
      }
    }
    case 'thinking':
      return {
        start: { ...block, thinking: '', signature: '' },
        deltas: [
          { type: 'thinking_delta', thinking: block.thinking },
          ...(block.signature === undefined ? [] : [{ type: 'signature_delta', signature: block.signature }]),
        ],
      }
    case 'tool_use':
      return {
        start: { ...block, input: {} },
        deltas: [{ type: 'input_json_delta', partial_json: JSON.stringify(block.input ?? {}) }],
      }
    default:
      return { start: block, deltas: [] }
  }
}
