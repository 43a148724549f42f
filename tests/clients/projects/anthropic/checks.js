import { deepEqual, equal, ok, rejects } from 'node:assert/strict'
import Anthropic, { AuthenticationError, BadRequestError, NotFoundError } from '@anthropic-ai/sdk'
import { apiKey, collect, FINAL_TEXT, gateway, recorded, runChecks } from './run-checks.js'

const client = new Anthropic({ baseURL: gateway.url, apiKey, maxRetries: 0 })
const messages = [{ role: 'user', content: 'Hello' }]
const input_schema = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] }
const tools = [{ name: 'weather', description: 'The weather of a city.', input_schema }]
const max_tokens = 4096
const models = { anthropic: 'anthropic/claude-sonnet-4-5', chat: 'chat/gpt-5', openai: 'openai/gpt-5' }
const over = {
  chat: 'a chat-only upstream',
  anthropic: 'an Anthropic upstream',
  openai: 'an upstream with responses',
}

const textOf = ({ content }) => content.flatMap(({ type, text }) => (type === 'text' ? [text] : [])).join('')

const checksOver = (id) => ({
  [`messages over ${over[id]}`]: async () => {
    const message = await client.messages.create({ model: models[id], max_tokens, messages, system: 'Be brief.' })
    equal(textOf(message), FINAL_TEXT)
    equal(message.stop_reason, 'end_turn')
    ok(message.usage.input_tokens > 0 && message.usage.output_tokens > 0)
  },
  [`streamed messages over ${over[id]}`]: async () => {
    const message = await client.messages.stream({ model: models[id], max_tokens, messages }).finalMessage()
    equal(textOf(message), FINAL_TEXT)
    ok(message.usage.output_tokens > 0)
  },
  [`tools, whole and streamed, over ${over[id]}`]: async () => {
    const first = await client.messages.stream({ model: models[id], max_tokens, messages, tools }).finalMessage()
    const call = first.content.find(({ type }) => type === 'tool_use')
    deepEqual(call.input, { city: 'Paris' })
    equal(first.stop_reason, 'tool_use')
    const result = { type: 'tool_result', tool_use_id: call.id, content: 'Sun' }
    const next = [...messages, { role: 'assistant', content: first.content }, { role: 'user', content: [result] }]
    equal(textOf(await client.messages.create({ model: models[id], max_tokens, messages: next, tools })), FINAL_TEXT)
  },
  [`a forced tool over ${over[id]}`]: async () => {
    const tool_choice = { type: 'any' }
    const { content } = await client.messages.create({ model: models[id], max_tokens, messages, tools, tool_choice })
    ok(content.some(({ type, name }) => type === 'tool_use' && name === 'weather'))
  },
  [`counted tokens over ${over[id]}`]: async () => {
    const { input_tokens } = await client.messages.countTokens({ model: models[id], messages })
    ok(input_tokens > 0)
  },
  [`a picture over ${over[id]}`]: async () => {
    const source = { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgo=' }
    const content = [
      { type: 'image', source },
      { type: 'text', text: 'What is it?' },
    ]
    const message = await client.messages.create({
      model: models[id],
      max_tokens,
      messages: [{ role: 'user', content }],
    })
    equal(textOf(message), FINAL_TEXT)
  },
})

/** The SDK requests a thread of the upstream, and continues without one after the refusal that it knows. */
const threadsOver = (id) => ({
  [`the tool runner over ${over[id]}`]: async () => {
    const run = ({ city }) => `Sun in ${city}`
    const runner = client.beta.messages.toolRunner({
      model: models[id],
      max_tokens,
      messages,
      tools: [{ ...tools[0], run, parse: (value) => value }],
    })
    equal(textOf(await runner.runUntilDone()), FINAL_TEXT)
    ok(JSON.stringify(runner.params.messages).includes('Sun in Paris'))
  },
  [`a thread over ${over[id]}`]: async () => {
    const unsupportedRequestBehavior = 'continue_unthreaded'
    const thread = client.beta.messages.thread({ model: models[id], max_tokens, unsupportedRequestBehavior })
    equal(textOf(await thread.send(messages[0])), FINAL_TEXT)
    equal(textOf(await thread.stream({ role: 'user', content: 'Again' }).finalMessage()), FINAL_TEXT)
    equal(thread.messages.length, 4)
  },
})

await runChecks({
  ...checksOver('anthropic'),
  ...checksOver('chat'),
  ...checksOver('openai'),
  ...threadsOver('chat'),
  ...threadsOver('openai'),
  'thinking with its signature, and tools after it': async () => {
    const options = { model: models.anthropic, max_tokens, tools, thinking: { type: 'enabled', budget_tokens: 1024 } }
    const first = await client.messages.stream({ ...options, messages }).finalMessage()
    ok(first.content[0].signature.length > 0)
    const call = first.content.find(({ type }) => type === 'tool_use')
    const result = { type: 'tool_result', tool_use_id: call.id, content: 'Sun' }
    const next = [...messages, { role: 'assistant', content: first.content }, { role: 'user', content: [result] }]
    equal(textOf(await client.messages.create({ ...options, messages: next })), FINAL_TEXT)
  },
  'marks of the cache and headers reach the upstream': async () => {
    await recorded('ANTHROPIC')
    const system = [{ type: 'text', text: 'Be brief.', cache_control: { type: 'ephemeral' } }]
    const betas = ['context-management-2025-06-27']
    await client.beta.messages.create({ model: models.anthropic, max_tokens, messages, system, betas })
    const { requests } = await recorded('ANTHROPIC')
    deepEqual(requests[0].body.system, system)
    equal(requests[0].headers['anthropic-beta'], betas[0])
  },
  'a token as `authorization`': async () => {
    const bearer = new Anthropic({ baseURL: gateway.url, authToken: apiKey, apiKey: null, maxRetries: 0 })
    equal(textOf(await bearer.messages.create({ model: models.anthropic, max_tokens, messages })), FINAL_TEXT)
  },
  'errors as their classes': async () => {
    const unknown = new Anthropic({ baseURL: gateway.url, apiKey: 'sk-unknown', maxRetries: 0 })
    const request = { model: models.anthropic, max_tokens, messages }
    await rejects(unknown.messages.create(request), AuthenticationError)
    await rejects(client.messages.create({ ...request, model: 'anthropic/absent' }), NotFoundError)
    await rejects(client.messages.create({ ...request, max_tokens: 'many' }), (error) => {
      ok(error instanceof BadRequestError)
      equal(error.error.type, 'error')
      equal(error.error.error.type, 'invalid_request_error')
      return true
    })
  },
  'every event of a stream in its order': async () => {
    const stream = await client.messages.create({ model: models.chat, max_tokens, messages, stream: true })
    const types = (await collect(stream)).map(({ type }) => type)
    deepEqual(
      types.filter((type, index) => type !== types[index - 1]),
      [
        ...['message_start', 'content_block_start', 'content_block_delta', 'content_block_stop', 'message_delta'],
        'message_stop',
      ],
    )
  },
})
