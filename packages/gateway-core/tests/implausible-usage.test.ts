import { describe, expect, it } from 'vitest'
import { completionText, delta, encodedAnswer, fakeProvider, finish, textStream } from './fake-provider.ts'
import { openGateway } from './open-gateway.ts'

const text = 'word '.repeat(100)

const answerWith = (usage: unknown) => {
  const { choices, ...rest } = JSON.parse(completionText)
  const message = { ...choices[0].message, content: text }
  return encodedAnswer(JSON.stringify({ ...rest, choices: [{ ...choices[0], message }], usage }))
}

const streamWith = (usage: unknown) => {
  const events = [...Array.from({ length: 100 }, () => delta('word ')), finish, { ...delta(''), choices: [], usage }]
  return textStream(...events.map((event) => `data: ${JSON.stringify(event)}\n\n`), 'data: [DONE]\n\n')
}

async function recordOf(usage: unknown, path: string, stream: boolean) {
  const provider = fakeProvider({ complete: () => answerWith(usage), stream: () => streamWith(usage) })
  const open = openGateway({ providers: [provider], prices: { 'up/*': { input: 1, output: 10, search: 0.01 } } })
  const { secret } = await open.key()
  const messages = [{ role: 'user', content: 'x'.repeat(400) }]
  const prompt = path.endsWith('responses') ? { input: messages, store: false } : { messages, max_tokens: 999 }
  const body = { model: 'up/big', ...prompt, stream }
  const answer = await open.send(path, { as: secret, body })
  expect(answer.status).toBe(200)
  await answer.text()
  return open.records.at(-1)
}

describe.each(['/v1/chat/completions', '/v1/responses', '/v1/messages'])('an answer to %s', (path) => {
  it.each([
    ['no output', { prompt_tokens: 7 }, 7],
    ['a negative output', { prompt_tokens: 7, completion_tokens: -1000 }, 7],
    ['a fraction', { prompt_tokens: 7, completion_tokens: 99.5 }, 7],
    ['more than any answer has', { prompt_tokens: 7, completion_tokens: 1e12 }, 7],
    ['zeros', { prompt_tokens: 0, completion_tokens: 0 }, undefined],
    ['texts', { prompt_tokens: '7', completion_tokens: '8' }, undefined],
  ])('costs an estimate of what its upstream reports as %s', async (_, usage, input) => {
    for (const stream of [false, true]) {
      const record = await recordOf(usage, path, stream)
      expect(record).toMatchObject({ estimated: true })
      expect(record?.outputTokens).toBeGreaterThanOrEqual(100)
      expect(record?.outputTokens).toBeLessThan(300)
      if (input === undefined) expect(record?.inputTokens).toBeGreaterThanOrEqual(100)
      else expect(record?.inputTokens).toBe(input)
    }
  })

  it('costs an estimate of the input where only the output is reported', async () => {
    for (const stream of [false, true]) {
      const record = await recordOf({ completion_tokens: 50 }, path, stream)
      expect(record).toMatchObject({ estimated: true, outputTokens: 50 })
      expect(record?.inputTokens).toBeGreaterThanOrEqual(100)
    }
  })
})

it('costs at most 1,000 searches, where an upstream reports more', async () => {
  const usage = { prompt_tokens: 1, completion_tokens: 1, server_tool_use: { web_search_requests: 1e9 } }
  const record = await recordOf(usage, '/v1/chat/completions', false)
  expect(record).toMatchObject({ searches: 1_000, estimated: true, cost: 1_000 + 10_000 + 10_000_000_000 })
})
