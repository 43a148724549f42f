import { deepEqual, equal, ok } from 'node:assert/strict'
import { ChatAnthropic } from '@langchain/anthropic'
import { HumanMessage, ToolMessage } from '@langchain/core/messages'
import { tool } from '@langchain/core/tools'
import { ChatOpenAI, OpenAIEmbeddings } from '@langchain/openai'
import { z } from 'zod'
import { apiKey, baseURL, collect, FINAL_TEXT, gateway, runChecks } from './run-checks.js'

const weather = tool(({ city }) => `Sun in ${city}`, {
  name: 'weather',
  description: 'The weather of a city.',
  schema: z.object({ city: z.string() }),
})
const schema = z.object({ city: z.string(), degrees: z.number() })
const textOf = ({ content }) => (typeof content === 'string' ? content : content.map(({ text = '' }) => text).join(''))

const chat = (model, more = {}) => new ChatOpenAI({ model, apiKey, configuration: { baseURL }, maxRetries: 0, ...more })
const messages = (model) =>
  new ChatAnthropic({ model, apiKey, anthropicApiUrl: gateway.url, maxRetries: 0, maxTokens: 1024 })

const checksOf = (name, model) => ({
  [`${name}: invoke`]: async () => equal(textOf(await model.invoke('Hello')), FINAL_TEXT),
  [`${name}: stream`]: async () => {
    const chunks = await collect(await model.stream('Hello'))
    equal(chunks.map(textOf).join(''), FINAL_TEXT)
  },
  [`${name}: tools`]: async () => {
    const bound = model.bindTools([weather])
    const first = await bound.invoke('Hello')
    const [call] = first.tool_calls
    deepEqual(call.args, { city: 'Paris' })
    const result = new ToolMessage({ content: await weather.invoke(call.args), tool_call_id: call.id })
    equal(textOf(await bound.invoke([new HumanMessage('Hello'), first, result])), FINAL_TEXT)
  },
  [`${name}: structured output`]: async () => {
    deepEqual(await model.withStructuredOutput(schema).invoke('Hello'), { city: 'Paris', degrees: 7 })
  },
})

await runChecks({
  ...checksOf('`ChatOpenAI` over a chat-only upstream', chat('chat/gpt-4o')),
  ...checksOf('`ChatOpenAI` over an Anthropic upstream', chat('anthropic/claude-sonnet-4-5')),
  ...checksOf('`useResponsesApi` over a chat-only upstream', chat('chat/gpt-4o', { useResponsesApi: true })),
  ...checksOf(
    '`useResponsesApi` over an Anthropic upstream',
    chat('anthropic/claude-sonnet-4-5', { useResponsesApi: true }),
  ),
  ...checksOf('`ChatAnthropic` over an Anthropic upstream', messages('anthropic/claude-sonnet-4-5')),
  ...checksOf('`ChatAnthropic` over a chat-only upstream', messages('chat/gpt-5')),
  '`OpenAIEmbeddings`': async () => {
    const model = 'openai/text-embedding-3-small'
    const embeddings = new OpenAIEmbeddings({ model, apiKey, configuration: { baseURL }, maxRetries: 0 })
    const [first] = await embeddings.embedDocuments(['one', 'two'])
    ok(first.length === 4)
  },
})
