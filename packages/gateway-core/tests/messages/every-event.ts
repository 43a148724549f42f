import type { JsonObject } from '../../src/dialects/dialect.ts'

const start = (index: number, content_block: JsonObject): JsonObject => ({
  type: 'content_block_start',
  index,
  content_block,
})
const delta = (index: number, change: JsonObject): JsonObject => ({ type: 'content_block_delta', index, delta: change })
const stop = (index: number): JsonObject => ({ type: 'content_block_stop', index })

/** A stream with every kind of event, block and delta. */
export const everyEvent: readonly JsonObject[] = [
  {
    type: 'message_start',
    message: {
      id: 'msg_9',
      type: 'message',
      role: 'assistant',
      model: 'claude-example',
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage: { input_tokens: 10, cache_read_input_tokens: 3, cache_creation_input_tokens: 2, output_tokens: 1 },
    },
  },
  { type: 'ping' },
  start(0, { type: 'thinking', thinking: '', signature: '' }),
  delta(0, { type: 'thinking_delta', thinking: 'Grü' }),
  delta(0, { type: 'thinking_delta', thinking: 'nde' }),
  delta(0, { type: 'signature_delta', signature: 'sig' }),
  stop(0),
  start(1, { type: 'redacted_thinking', data: 'opaque' }),
  stop(1),
  start(2, { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: {} }),
  delta(2, { type: 'input_json_delta', partial_json: '{"query":' }),
  delta(2, { type: 'input_json_delta', partial_json: '"who won"}' }),
  stop(2),
  start(3, {
    type: 'web_search_tool_result',
    tool_use_id: 'srvtoolu_1',
    content: [{ type: 'web_search_result', url: 'https://example.com', title: 'T', encrypted_content: 'e' }],
  }),
  stop(3),
  start(4, { type: 'text', text: '', citations: null }),
  delta(4, {
    type: 'citations_delta',
    citation: {
      type: 'web_search_result_location',
      url: 'https://example.com',
      cited_text: 'won',
      encrypted_index: 'i',
    },
  }),
  delta(4, { type: 'text_delta', text: '🌍 won' }),
  stop(4),
  start(5, { type: 'server_tool_use', id: 'srvtoolu_2', name: 'code_execution', input: {} }),
  delta(5, { type: 'input_json_delta', partial_json: '{"code":"1"}' }),
  stop(5),
  start(6, { type: 'tool_use', id: 'toolu_1', name: 'f', input: {} }),
  delta(6, { type: 'input_json_delta', partial_json: '' }),
  delta(6, { type: 'input_json_delta', partial_json: '{"a":"é"}' }),
  stop(6),
  {
    type: 'message_delta',
    delta: { stop_reason: 'tool_use', stop_sequence: null },
    usage: {
      output_tokens: 20,
      output_tokens_details: { thinking_tokens: 8 },
      server_tool_use: { web_search_requests: 1, web_fetch_requests: 0 },
    },
  },
  { type: 'message_stop' },
]
