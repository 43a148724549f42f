import { describeHostileAnswers, MAX_BYTES } from '../../gateway-core/tests/hostile-upstream.ts'
import { openAiProvider } from './index.ts'

const chunk = (fields: object) =>
  `data: ${JSON.stringify({ id: 'c1', object: 'chat.completion.chunk', created: 1_700_000_000, model: 'big', ...fields })}\n\n`

const choice = (delta: object, finish_reason: string | null = null) => ({
  choices: [{ index: 0, delta, finish_reason }],
})

const completion = {
  id: 'c1',
  object: 'chat.completion',
  created: 1_700_000_000,
  model: 'big',
  choices: [{ index: 0, message: { role: 'assistant', content: 'Grüße 🌍' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 9, completion_tokens: 2, total_tokens: 11 },
}

describeHostileAnswers(
  {
    name: 'the OpenAI provider',
    provider: (origin) =>
      openAiProvider({ id: 'up', baseUrl: `${origin}/v1`, models: ['big'], maxAnswerBytes: MAX_BYTES }),
    completion,
    stream: [
      chunk(choice({ role: 'assistant', content: 'Grüße' })),
      chunk(choice({ content: ' 🌍' })),
      chunk(choice({}, 'stop')),
      chunk({ choices: [], usage: { prompt_tokens: 9, completion_tokens: 2, total_tokens: 11 } }),
      'data: [DONE]\n\n',
    ],
    withUsage: (input, output) => ({ ...completion, usage: { prompt_tokens: input, completion_tokens: output } }),
    malformedAnswers: [
      { choices: [] },
      { choices: [null] },
      { choices: [1, 'two', []] },
      { choices: [{}] },
      { choices: [{ message: null, finish_reason: 7 }] },
      { choices: [{ message: { content: { deep: [1] } }, finish_reason: { a: 1 } }], id: { a: 1 }, model: ['x'] },
      { ...completion, usage: 'lots' },
      { ...completion, id: 7, model: null, created: 'yesterday' },
      { ...completion, choices: [...completion.choices, null] },
      { error: null, choices: [{ index: 0, message: { role: 'assistant', content: null }, finish_reason: 'stop' }] },
      { error: { code: 'x', message: { a: 1 } } },
    ],
  },
  ['chat', 'responses', 'messages'],
)

const message = {
  type: 'message',
  id: 'msg_1',
  status: 'completed',
  role: 'assistant',
  content: [{ type: 'output_text', text: 'Grüße 🌍', annotations: [] }],
}

const response = (status: string, output: readonly unknown[], usage: unknown) => ({
  id: 'resp_1',
  object: 'response',
  created_at: 1_700_000_000,
  model: 'big',
  status,
  output,
  error: null,
  incomplete_details: null,
  usage,
})

const completed = response('completed', [message], { input_tokens: 9, output_tokens: 2, total_tokens: 11 })

const place = { item_id: 'msg_1', output_index: 0, content_index: 0 }

const events = [
  { type: 'response.created', response: response('in_progress', [], null) },
  { type: 'response.in_progress', response: response('in_progress', [], null) },
  { type: 'response.output_item.added', output_index: 0, item: { ...message, status: 'in_progress', content: [] } },
  { type: 'response.content_part.added', ...place, part: { type: 'output_text', text: '', annotations: [] } },
  { type: 'response.output_text.delta', ...place, delta: 'Grüße' },
  { type: 'response.output_text.delta', ...place, delta: ' 🌍' },
  { type: 'response.output_text.done', ...place, text: 'Grüße 🌍' },
  { type: 'response.content_part.done', ...place, part: message.content[0] },
  { type: 'response.output_item.done', output_index: 0, item: message },
  { type: 'response.completed', response: completed },
]

describeHostileAnswers(
  {
    name: 'the OpenAI provider of responses',
    dialect: 'responses',
    provider: (origin) =>
      openAiProvider({
        id: 'up',
        baseUrl: `${origin}/v1`,
        models: ['big'],
        dialects: ['responses'],
        maxAnswerBytes: MAX_BYTES,
      }),
    completion: completed,
    stream: events.map(
      (event, index) => `event: ${event.type}\ndata: ${JSON.stringify({ ...event, sequence_number: index })}\n\n`,
    ),
    withUsage: (input, output) => ({ ...completed, usage: { input_tokens: input, output_tokens: output } }),
    malformedAnswers: [
      { output: [] },
      { ...completed, output: [null, 1, 'two', []] },
      { ...completed, output: [{ type: 'message', content: { deep: [1] } }] },
      { ...completed, output: [{ type: 'message', content: [null, { type: 'output_text', text: 7 }] }] },
      { ...completed, output: [{ type: 'function_call', call_id: 7, name: null, arguments: {} }] },
      { ...completed, output: [{ type: 'reasoning', summary: 'x', encrypted_content: 7 }, { type: 'image' }] },
      { ...completed, usage: 'lots' },
      { ...completed, id: 7, model: null, created_at: 'yesterday', status: { a: 1 } },
      { ...completed, incomplete_details: 'x', status: 'incomplete' },
    ],
  },
  ['chat', 'responses', 'messages'],
)
