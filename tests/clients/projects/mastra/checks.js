import { deepEqual, equal } from 'node:assert/strict'
import { Agent } from '@mastra/core/agent'
import { createTool } from '@mastra/core/tools'
import { z } from 'zod'
import { apiKey, baseURL, FINAL_TEXT, runChecks } from './run-checks.js'

const weather = createTool({
  id: 'weather',
  description: 'The weather of a city.',
  inputSchema: z.object({ city: z.string() }),
  outputSchema: z.object({ weather: z.string() }),
  execute: async () => ({ weather: 'Sun' }),
})

const agentOf = (id) =>
  new Agent({ name: 'A', instructions: 'Be brief.', model: { id, url: baseURL, apiKey }, tools: { weather } })
const plainOf = (id) => new Agent({ name: 'A', instructions: 'Be brief.', model: { id, url: baseURL, apiKey } })

const checksOf = (name, id) => ({
  [`${name}: generate`]: async () => equal((await plainOf(id).generate('Hello')).text, FINAL_TEXT),
  [`${name}: stream`]: async () => equal(await (await plainOf(id).stream('Hello')).text, FINAL_TEXT),
  [`${name}: tools`]: async () => {
    const { text, toolResults } = await agentOf(id).generate('Hello', { maxSteps: 3 })
    equal(text, FINAL_TEXT)
    equal(toolResults.length >= 0, true)
  },
  [`${name}: structured output`]: async () => {
    const schema = z.object({ city: z.string(), degrees: z.number() })
    const { object } = await plainOf(id).generate('Hello', { structuredOutput: { schema } })
    deepEqual(object, { city: 'Paris', degrees: 7 })
  },
})

await runChecks({
  ...checksOf('over a chat-only upstream', 'gateway/chat/gpt-4o'),
  ...checksOf('over an Anthropic upstream', 'gateway/anthropic/claude-sonnet-4-5'),
})
