import { type Answers, INPUT_TOKENS, TOKENS, tokenAt, WHOLE_TEXT } from './answers.ts'

const common = { id: 'chatcmpl-1', created: 1_700_000_000, model: 'mock-1', system_fingerprint: 'fp_1' }

const whole = Buffer.from(
  JSON.stringify({
    ...common,
    object: 'chat.completion',
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content: WHOLE_TEXT, refusal: null },
        logprobs: null,
        finish_reason: 'stop',
      },
    ],
    usage: { prompt_tokens: INPUT_TOKENS, completion_tokens: 48, total_tokens: 57 },
  }),
)

const event = (fields: object) =>
  Buffer.from(`data: ${JSON.stringify({ ...common, object: 'chat.completion.chunk', ...fields })}\n\n`)
const choice = (delta: object, finish: string | null = null) =>
  event({ choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }], usage: null })

const events = [
  choice({ role: 'assistant', content: '' }),
  ...Array.from({ length: TOKENS }, (_, index) => choice({ content: tokenAt(index) })),
  choice({}, 'stop'),
  event({
    choices: [],
    usage: { prompt_tokens: INPUT_TOKENS, completion_tokens: TOKENS, total_tokens: TOKENS + INPUT_TOKENS },
  }),
  Buffer.from('data: [DONE]\n\n'),
]

/** The answers of chat completions. */
export const chatAnswers: Answers = { whole, events }
