import { deepEqual, equal, ok } from 'node:assert/strict'
import { createAnthropic } from '@ai-sdk/anthropic'
import { createMistral } from '@ai-sdk/mistral'
import { createOpenAI } from '@ai-sdk/openai'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import {
  embedMany,
  experimental_transcribe,
  generateImage,
  generateObject,
  generateText,
  stepCountIs,
  streamObject,
  streamText,
  tool,
} from 'ai'
import { z } from 'zod'
import { apiKey, baseURL, collect, FINAL_TEXT, recorded, runChecks } from './run-checks.js'

const openai = createOpenAI({ baseURL, apiKey })
const compatible = createOpenAICompatible({ name: 'gateway', baseURL, apiKey, supportsStructuredOutputs: true })
const mistral = createMistral({ baseURL, apiKey })
const anthropic = createAnthropic({ baseURL, apiKey })
const prompt = 'Hello'
const maxRetries = 0
const schema = z.object({ city: z.string(), degrees: z.number().min(0).max(50) })
const weather = () =>
  tool({
    description: 'The weather of a city.',
    inputSchema: z.object({ city: z.string() }),
    execute: async ({ city }) => `Sun in ${city}`,
  })

const checksOf = (name, model) => ({
  [`${name}: generateText`]: async () => {
    const { text, usage } = await generateText({ model, prompt, maxRetries })
    equal(text, FINAL_TEXT)
    ok(usage.totalTokens > 0)
  },
  [`${name}: streamText`]: async () => {
    const result = streamText({ model, prompt, maxRetries })
    equal(await result.text, FINAL_TEXT)
    equal(await result.finishReason, 'stop')
  },
  [`${name}: tools`]: async () => {
    const options = { model, prompt, maxRetries, tools: { weather: weather() }, stopWhen: stepCountIs(3) }
    const { text, steps } = await generateText(options)
    equal(text, FINAL_TEXT)
    equal(steps[0].toolResults[0].output, 'Sun in Paris')
    equal(await streamText(options).text, FINAL_TEXT)
  },
  [`${name}: a forced tool`]: async () => {
    const tools = { weather: weather() }
    const { toolCalls } = await generateText({ model, prompt, maxRetries, tools, toolChoice: 'required' })
    equal(toolCalls[0].toolName, 'weather')
  },
  [`${name}: generateObject`]: async () => {
    const { object } = await generateObject({ model, prompt, maxRetries, schema })
    deepEqual(object, { city: 'Paris', degrees: 7 })
  },
  [`${name}: streamObject`]: async () => {
    const { partialObjectStream, object } = streamObject({ model, prompt, maxRetries, schema })
    await collect(partialObjectStream)
    deepEqual(await object, { city: 'Paris', degrees: 7 })
  },
})

const CLAUDE = 'anthropic/claude-sonnet-4-5'

await runChecks({
  ...checksOf('`openai` over an upstream with responses', openai('openai/gpt-5')),
  ...checksOf('`openai` over a chat-only upstream', openai('chat/gpt-5')),
  ...checksOf('`openai` over an Anthropic upstream', openai(CLAUDE)),
  ...checksOf('`openai` by chat completions', openai.chat('chat/gpt-4o')),
  ...checksOf('`openai-compatible` over a chat-only upstream', compatible('chat/gpt-5')),
  ...checksOf('`openai-compatible` over an Anthropic upstream', compatible(CLAUDE)),
  ...checksOf('`mistral` over a chat-only upstream', mistral('chat/gpt-4o')),
  ...checksOf('`mistral` over an Anthropic upstream', mistral(CLAUDE)),
  ...checksOf('`anthropic` over an Anthropic upstream', anthropic(CLAUDE)),
  ...checksOf('`anthropic` over a chat-only upstream', anthropic('chat/gpt-5')),
  '`openai-compatible` without structured outputs: generateObject over an Anthropic upstream': async () => {
    const plain = createOpenAICompatible({ name: 'plain', baseURL, apiKey })
    await recorded('ANTHROPIC')
    await generateObject({ model: plain(CLAUDE), prompt, maxRetries, output: 'no-schema' })
    deepEqual((await recorded('ANTHROPIC')).refusals, [])
  },
  '`openai`: embeddings': async () => {
    const model = openai.embedding('openai/text-embedding-3-small')
    const { embeddings } = await embedMany({ model, values: ['one', 'two'], maxRetries })
    deepEqual(embeddings[1], [0.125, 0.25, 0.375, 0.5])
  },
  '`openai`: pictures of `gpt-image-1`': async () => {
    const { image } = await generateImage({ model: openai.image('openai/gpt-image-1'), prompt, maxRetries })
    ok(image.base64.startsWith('iVBOR'))
  },
  '`openai`: transcription': async () => {
    const model = openai.transcription('openai/whisper-1')
    const { text } = await experimental_transcribe({ model, audio: Buffer.from('RIFF....WAVE'), maxRetries })
    equal(text, 'spoken words')
  },
})
