import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { describeHostileUpstream, MAX_BYTES } from '../../gateway-core/tests/hostile-upstream.ts'
import { aiSdkProvider, boundedFetch } from './index.ts'

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

describeHostileUpstream(
  {
    name: 'the AI SDK provider',
    foreignClient: true,
    provider: (origin) => {
      const sdk = createOpenAICompatible({
        name: 'up',
        baseURL: `${origin}/v1`,
        apiKey: 'k',
        includeUsage: true,
        fetch: boundedFetch({ maxAnswerBytes: MAX_BYTES }),
      })
      return aiSdkProvider({ id: 'up', languageModels: { big: sdk('big') } })
    },
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
      { choices: [{}] },
      { choices: [{ message: null, finish_reason: 7 }] },
      { ...completion, usage: 'lots' },
      { ...completion, id: 7, model: null, created: 'yesterday' },
      { error: { code: 'x', message: { a: 1 } } },
    ],
  },
  'every boundary',
)
