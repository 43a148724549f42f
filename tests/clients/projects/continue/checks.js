import { deepEqual, equal, ok } from 'node:assert/strict'
import { constructLlmApi } from '@continuedev/openai-adapters'
import { apiKey, baseURL, collect, FINAL_TEXT, runChecks } from './run-checks.js'

const messages = [{ role: 'user', content: 'Hello' }]
const parameters = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] }
const tools = [{ type: 'function', function: { name: 'weather', description: 'The weather.', parameters } }]
const signal = AbortSignal.timeout(15_000)

const checksOf = (name, provider, model) => {
  const api = constructLlmApi({ provider, apiKey, apiBase: `${baseURL}/` })
  return {
    [`${name}: whole`]: async () => {
      const { choices } = await api.chatCompletionNonStream(
        { model, messages, max_tokens: 1024, stream: false },
        signal,
      )
      equal(choices[0].message.content, FINAL_TEXT)
    },
    [`${name}: streamed`]: async () => {
      const body = { model, messages, max_tokens: 1024, stream: true }
      const chunks = await collect(api.chatCompletionStream(body, signal))
      equal(chunks.map(({ choices }) => choices[0]?.delta.content ?? '').join(''), FINAL_TEXT)
    },
    [`${name}: tools`]: async () => {
      const body = { model, messages, tools, max_tokens: 1024, stream: true }
      const chunks = await collect(api.chatCompletionStream(body, signal))
      const calls = chunks.flatMap(({ choices }) => choices[0]?.delta.tool_calls ?? [])
      deepEqual(JSON.parse(calls.map((call) => call.function?.arguments ?? '').join('')), { city: 'Paris' })
    },
  }
}

await runChecks({
  ...checksOf('its adapter of OpenAI over a chat-only upstream', 'openai', 'chat/gpt-4o'),
  ...checksOf('its adapter of OpenAI over an Anthropic upstream', 'openai', 'anthropic/claude-sonnet-4-5'),
  ...checksOf('its adapter of Anthropic over an Anthropic upstream', 'anthropic', 'anthropic/claude-sonnet-4-5'),
  ...checksOf('its adapter of Anthropic over a chat-only upstream', 'anthropic', 'chat/gpt-5'),
  embeddings: async () => {
    const api = constructLlmApi({ provider: 'openai', apiKey, apiBase: `${baseURL}/` })
    const { data } = await api.embed({ model: 'openai/text-embedding-3-small', input: ['one'] })
    ok(data[0].embedding.length === 4)
  },
})
