import * as fc from 'fast-check'
import type { JsonObject } from '../../src/dialects/dialect.ts'

const words = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 })
const text = words.map((value) => ({ type: 'text', text: value }))
const thinking = fc.record({ type: fc.constant('thinking'), thinking: words, signature: words })
const redacted = fc.record({ type: fc.constant('redacted_thinking'), data: words })
/** A JSON object that survives encoding: without a negative zero or keys of a prototype. */
const input = fc
  .dictionary(fc.stringMatching(/^[a-z]{1,6}$/), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 4 })
  .map((value): JsonObject => JSON.parse(JSON.stringify(value)))
const toolUse = (index: number) =>
  fc.record({ type: fc.constant('tool_use'), id: fc.constant(`toolu_${index}`), name: words, input })

/** A message as models write it: thinking, then text, then calls. */
export const arbitraryMessage: fc.Arbitrary<JsonObject & { readonly content: readonly JsonObject[] }> = fc
  .tuple(
    fc.array(fc.oneof(thinking, redacted), { maxLength: 2 }),
    fc.array(text, { maxLength: 1 }),
    fc.nat({ max: 3 }).chain((count) => fc.tuple(...Array.from({ length: count }, (_, index) => toolUse(index)))),
    fc.constantFrom('end_turn', 'max_tokens', 'stop_sequence', 'tool_use', 'refusal', 'pause_turn'),
    fc.nat(),
    fc.nat(),
  )
  .map(([thoughts, texts, calls, stop_reason, input_tokens, output_tokens]) => ({
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'claude-example',
    content: [...thoughts, ...texts, ...calls],
    stop_reason,
    usage: { input_tokens, output_tokens },
  }))

/** Cuts a text into pieces of at most `size` characters, never inside a character. */
function pieces(value: string, size: number): readonly string[] {
  const characters = [...value]
  return Array.from({ length: Math.ceil(characters.length / size) }, (_, index) =>
    characters.slice(index * size, (index + 1) * size).join(''),
  )
}

const deltas = (block: JsonObject, size: number): readonly JsonObject[] => {
  switch (block.type) {
    case 'text':
      return pieces(String(block.text), size).map((part) => ({ type: 'text_delta', text: part }))
    case 'thinking':
      return [
        ...pieces(String(block.thinking), size).map((part) => ({ type: 'thinking_delta', thinking: part })),
        ...pieces(String(block.signature), size).map((part) => ({ type: 'signature_delta', signature: part })),
      ]
    case 'tool_use':
      return pieces(JSON.stringify(block.input), size).map((part) => ({ type: 'input_json_delta', partial_json: part }))
    default:
      return []
  }
}

const emptied = (block: JsonObject): JsonObject => {
  if (block.type === 'text') return { ...block, text: '' }
  if (block.type === 'thinking') return { ...block, thinking: '', signature: '' }
  return block.type === 'tool_use' ? { ...block, input: {} } : block
}

/** Returns the events in which an upstream streams a message. */
export function eventsOf(
  message: JsonObject & { readonly content: readonly JsonObject[] },
  size: number,
): readonly JsonObject[] {
  return [
    { type: 'message_start', message: { ...message, content: [], stop_reason: null } },
    ...message.content.flatMap((block, index) => [
      { type: 'content_block_start', index, content_block: emptied(block) },
      { type: 'ping' },
      ...deltas(block, size).map((delta) => ({ type: 'content_block_delta', index, delta })),
      { type: 'content_block_stop', index },
    ]),
    { type: 'message_delta', delta: { stop_reason: message.stop_reason }, usage: message.usage },
    { type: 'message_stop' },
  ]
}
