import { deepEqual, equal } from 'node:assert/strict'
import { Agent, OpenAIProvider, Runner, setTracingDisabled, tool } from '@openai/agents'
import { z } from 'zod'
import { apiKey, baseURL, collect, FINAL_TEXT, runChecks } from './run-checks.js'

setTracingDisabled(true)
const weather = tool({
  name: 'weather',
  description: 'The weather of a city.',
  parameters: z.object({ city: z.string() }),
  execute: async ({ city }) => `Sun in ${city}`,
})

const checksOf = (name, model, useResponses) => {
  const runner = new Runner({ modelProvider: new OpenAIProvider({ apiKey, baseURL, useResponses }) })
  const instructions = 'Be brief.'
  return {
    [`${name}: a run with a tool`]: async () => {
      const agent = new Agent({ name: 'A', instructions, model, tools: [weather] })
      const result = await runner.run(agent, 'Hello')
      equal(result.finalOutput, FINAL_TEXT)
      equal(result.newItems.filter(({ type }) => type === 'tool_call_output_item').length, 1)
    },
    [`${name}: a streamed run`]: async () => {
      const result = await runner.run(new Agent({ name: 'A', instructions, model }), 'Hello', { stream: true })
      equal((await collect(result.toTextStream())).join(''), FINAL_TEXT)
      await result.completed
    },
    [`${name}: a typed output`]: async () => {
      const outputType = z.object({ city: z.string(), degrees: z.number() })
      const result = await runner.run(new Agent({ name: 'A', instructions, model, outputType }), 'Hello')
      deepEqual(result.finalOutput, { city: 'Paris', degrees: 7 })
    },
    [`${name}: a handoff`]: async () => {
      const other = new Agent({ name: 'Other', instructions, model })
      const result = await runner.run(new Agent({ name: 'A', instructions, model, handoffs: [other] }), 'Hello')
      equal(result.lastAgent.name, 'Other')
    },
  }
}

await runChecks({
  ...checksOf('responses over a chat-only upstream', 'chat/gpt-5', true),
  ...checksOf('responses over an Anthropic upstream', 'anthropic/claude-sonnet-4-5', true),
  ...checksOf('responses over an upstream with responses', 'openai/gpt-5', true),
  ...checksOf('chat completions over a chat-only upstream', 'chat/gpt-5', false),
})
