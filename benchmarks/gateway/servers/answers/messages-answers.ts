import { type Answers, INPUT_TOKENS, namedEvent, TOKENS, tokenAt, WHOLE_TEXT } from './answers.ts'

const message = { id: 'msg_1', type: 'message', role: 'assistant', model: 'mock-1', stop_sequence: null }

/** The answers of the Messages API. */
export const messagesAnswers: Answers = {
  whole: Buffer.from(
    JSON.stringify({
      ...message,
      content: [{ type: 'text', text: WHOLE_TEXT }],
      stop_reason: 'end_turn',
      usage: { input_tokens: INPUT_TOKENS, output_tokens: 48 },
    }),
  ),
  events: [
    namedEvent({
      type: 'message_start',
      message: { ...message, content: [], stop_reason: null, usage: { input_tokens: INPUT_TOKENS, output_tokens: 1 } },
    }),
    namedEvent({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }),
    ...Array.from({ length: TOKENS }, (_, index) =>
      namedEvent({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: tokenAt(index) } }),
    ),
    namedEvent({ type: 'content_block_stop', index: 0 }),
    namedEvent({
      type: 'message_delta',
      delta: { stop_reason: 'end_turn', stop_sequence: null },
      usage: { output_tokens: TOKENS },
    }),
    namedEvent({ type: 'message_stop' }),
  ],
}
