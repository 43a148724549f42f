import { type Answers, INPUT_TOKENS, namedEvent, streamedText, TOKENS, tokenAt, WHOLE_TEXT } from './answers.ts'

const response = {
  id: 'resp_1',
  object: 'response',
  created_at: 1_700_000_000,
  model: 'mock-1',
  error: null,
  incomplete_details: null,
  instructions: null,
  metadata: {},
  parallel_tool_calls: true,
  temperature: 0.7,
  tool_choice: 'auto',
  tools: [],
  top_p: 1,
}

const usage = (output: number) => ({
  input_tokens: INPUT_TOKENS,
  input_tokens_details: { cached_tokens: 0 },
  output_tokens: output,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: INPUT_TOKENS + output,
})

const part = (text: string) => ({ type: 'output_text', text, annotations: [], logprobs: [] })
const item = (status: string, content: readonly object[]) => ({
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  status,
  content,
})

const place = { item_id: 'msg_1', output_index: 0, content_index: 0 }
const events = [
  { type: 'response.created', response: { ...response, status: 'in_progress', output: [], usage: null } },
  { type: 'response.in_progress', response: { ...response, status: 'in_progress', output: [], usage: null } },
  { type: 'response.output_item.added', output_index: 0, item: item('in_progress', []) },
  { type: 'response.content_part.added', ...place, part: part('') },
  ...Array.from({ length: TOKENS }, (_, index) => ({
    type: 'response.output_text.delta',
    ...place,
    delta: tokenAt(index),
    logprobs: [],
  })),
  { type: 'response.output_text.done', ...place, text: streamedText, logprobs: [] },
  { type: 'response.content_part.done', ...place, part: part(streamedText) },
  { type: 'response.output_item.done', output_index: 0, item: item('completed', [part(streamedText)]) },
  {
    type: 'response.completed',
    response: {
      ...response,
      status: 'completed',
      output: [item('completed', [part(streamedText)])],
      usage: usage(TOKENS),
    },
  },
]

/** The answers of the Responses API. */
export const responsesAnswers: Answers = {
  whole: Buffer.from(
    JSON.stringify({
      ...response,
      status: 'completed',
      output: [item('completed', [part(WHOLE_TEXT)])],
      usage: usage(48),
    }),
  ),
  events: events.map((event, sequence) => namedEvent({ ...event, sequence_number: sequence })),
}
