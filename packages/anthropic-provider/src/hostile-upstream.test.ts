import {
  describeHostileAnswers,
  type HostileUpstreamCase,
  MAX_BYTES,
} from '../../gateway-core/tests/hostile-upstream.ts'
import { anthropicProvider } from './index.ts'

const event = (fields: { readonly type: string; readonly [field: string]: unknown }) =>
  `event: ${fields.type}\ndata: ${JSON.stringify(fields)}\n\n`

const message = {
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'big',
  content: [{ type: 'text', text: 'Grüße 🌍' }],
  stop_reason: 'end_turn',
  usage: { input_tokens: 9, output_tokens: 2 },
}

const delta = (text: string) => event({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } })

const given: HostileUpstreamCase = {
  name: 'the Anthropic provider',
  dialect: 'messages',
  provider: (origin) => anthropicProvider({ id: 'up', baseUrl: origin, models: ['big'], maxAnswerBytes: MAX_BYTES }),
  completion: message,
  stream: [
    event({ type: 'message_start', message: { ...message, content: [], stop_reason: null } }),
    event({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }),
    delta('Grüße'),
    delta(' 🌍'),
    event({ type: 'content_block_stop', index: 0 }),
    event({ type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 2 } }),
    event({ type: 'message_stop' }),
  ],
  withUsage: (input, output) => ({ ...message, usage: { input_tokens: input, output_tokens: output } }),
  malformedAnswers: [
    { content: [] },
    { content: [null, 1, 'two', []] },
    { content: [{ type: 'text', text: { deep: [1] } }] },
    { content: [{ type: 'tool_use', id: 7, name: null, input: 'x' }] },
    { content: [{ type: 'thinking', thinking: 7, signature: {} }, { type: 'redacted_thinking' }] },
    { content: [{ type: 'text', text: 'x', citations: [null, { type: 'x' }, { url: 7 }] }] },
    { ...message, usage: 'lots' },
    { ...message, id: 7, model: null, stop_reason: { a: 1 } },
    { type: 'error', error: { type: { a: 1 }, message: 7 } },
  ],
}

describeHostileAnswers(given, ['chat', 'responses', 'messages'])
