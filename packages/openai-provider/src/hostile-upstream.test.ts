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

describeHostileAnswers({
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
})
