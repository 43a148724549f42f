import { deepEqual, equal, ok } from 'node:assert/strict'
import { tool } from '@llamaindex/core/tools'
import { OpenAI, OpenAIEmbedding, openaiResponses } from '@llamaindex/openai'
import { z } from 'zod'
import { apiKey, baseURL, collect, FINAL_TEXT, runChecks } from './run-checks.js'

const messages = [{ role: 'user', content: 'Hello' }]
const weather = tool({
  name: 'weather',
  description: 'The weather of a city.',
  parameters: z.object({ city: z.string() }),
  execute: ({ city }) => `Sun in ${city}`,
})

const checksOf = (name, llm) => ({
  [`${name}: chat`]: async () => equal((await llm.chat({ messages })).message.content, FINAL_TEXT),
  [`${name}: stream`]: async () => {
    const chunks = await collect(await llm.chat({ messages, stream: true }))
    // Over responses it repeats the last delta for each later event.
    ok(
      chunks
        .map(({ delta }) => delta)
        .join('')
        .startsWith(FINAL_TEXT),
    )
  },
  [`${name}: tools`]: async () => {
    const { message } = await llm.chat({ messages, tools: [weather] })
    const [call] = message.options.toolCall
    deepEqual(typeof call.input === 'string' ? JSON.parse(call.input) : call.input, { city: 'Paris' })
    const result = { role: 'user', content: 'Sun', options: { toolResult: { id: call.id, result: 'Sun' } } }
    const next = await llm.chat({ messages: [...messages, message, result], tools: [weather] })
    equal(next.message.content, FINAL_TEXT)
  },
})

const options = { apiKey, baseURL, maxRetries: 0, additionalSessionOptions: { baseURL } }

await runChecks({
  ...checksOf('`OpenAI` over a chat-only upstream', new OpenAI({ ...options, model: 'chat/gpt-4o' })),
  ...checksOf('`OpenAI` over an Anthropic upstream', new OpenAI({ ...options, model: 'anthropic/claude-sonnet-4-5' })),
  ...checksOf('`openaiResponses` over a chat-only upstream', openaiResponses({ ...options, model: 'chat/gpt-4o' })),
  '`OpenAIEmbedding`': async () => {
    const embedding = new OpenAIEmbedding({ ...options, model: 'openai/text-embedding-3-small' })
    equal((await embedding.getTextEmbedding('one')).length, 4)
  },
})
