import { deepEqual, equal, match, ok, rejects } from 'node:assert/strict'
import OpenAI, { NotFoundError, toFile } from 'openai'
import { zodResponseFormat, zodTextFormat } from 'openai/helpers/zod'
import { z } from 'zod'
import { apiKey, baseURL, collect, FINAL_TEXT, runChecks } from './run-checks.js'

const client = new OpenAI({ baseURL, apiKey, maxRetries: 0 })
const messages = [{ role: 'user', content: 'Hello' }]
const place = z.object({ city: z.string(), degrees: z.number() })
const parameters = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] }
const tools = [{ type: 'function', function: { name: 'weather', parameters } }]
const responseTools = [{ type: 'function', name: 'weather', parameters, strict: false }]
const wave = () => toFile(Buffer.from('RIFF....WAVE'), 'speech.wav', { type: 'audio/wav' })
const png = () => toFile(Buffer.from('iVBORw0KGgo=', 'base64'), 'picture.png', { type: 'image/png' })
const models = { chat: 'chat/gpt-5', anthropic: 'anthropic/claude-sonnet-4-5', openai: 'openai/gpt-5' }
const over = {
  chat: 'a chat-only upstream',
  anthropic: 'an Anthropic upstream',
  openai: 'an upstream with responses',
}

const chatChecks = (id) => ({
  [`chat completions over ${over[id]}`]: async () => {
    const { choices, usage } = await client.chat.completions.create({ model: models[id], messages })
    equal(choices[0].message.content, FINAL_TEXT)
    ok(usage.total_tokens > 0)
  },
  [`streamed chat completions over ${over[id]}`]: async () => {
    const stream = client.chat.completions.stream({
      ...{ model: models[id], messages },
      stream_options: { include_usage: true },
    })
    equal(await stream.finalContent(), FINAL_TEXT)
    ok((await stream.totalUsage()).total_tokens > 0)
  },
  [`tools of chat completions over ${over[id]}`]: async () => {
    const runner = client.chat.completions.runTools({
      ...{ model: models[id], messages },
      tools: [
        {
          type: 'function',
          function: { name: 'weather', parameters, parse: JSON.parse, function: ({ city }) => `Sun in ${city}` },
        },
      ],
    })
    equal(await runner.finalContent(), FINAL_TEXT)
    equal(await runner.finalFunctionToolCallResult(), 'Sun in Paris')
  },
  [`objects by \`chat.completions.parse\` over ${over[id]}`]: async () => {
    const format = zodResponseFormat(place, 'place')
    const { choices } = await client.chat.completions.parse({ model: models[id], messages, response_format: format })
    deepEqual(choices[0].message.parsed, { city: 'Paris', degrees: 7 })
  },
})

const responseChecks = (id) => ({
  [`responses over ${over[id]}`]: async () => {
    const response = await client.responses.create({ model: models[id], input: 'Hello', instructions: 'Be brief.' })
    equal(response.output_text, FINAL_TEXT)
    equal(response.status, 'completed')
    ok(response.usage.total_tokens > 0)
  },
  [`counted input of responses over ${over[id]}`]: async () => {
    const { input_tokens } = await client.responses.inputTokens.count({ model: models[id], input: 'Hello' })
    ok(input_tokens > 0)
  },
  [`streamed responses over ${over[id]}`]: async () => {
    const events = await collect(await client.responses.create({ model: models[id], input: 'Hello', stream: true }))
    const text = events.flatMap((event) => (event.type === 'response.output_text.delta' ? [event.delta] : [])).join('')
    equal(text, FINAL_TEXT)
    deepEqual(
      events.map(({ sequence_number }) => sequence_number),
      events.map((_, index) => index),
    )
    equal(events.at(-1).type, 'response.completed')
    equal(events.at(-1).response.output[0].content[0].text, FINAL_TEXT)
  },
  [`tools of responses over ${over[id]}`]: async () => {
    const input = [{ role: 'user', content: 'Hello' }]
    const first = await client.responses.create({ model: models[id], input, tools: responseTools })
    const call = first.output.find(({ type }) => type === 'function_call')
    deepEqual(JSON.parse(call.arguments), { city: 'Paris' })
    const result = { type: 'function_call_output', call_id: call.call_id, output: 'Sun' }
    const next = [...input, ...first.output, result]
    const second = await client.responses.create({ model: models[id], input: next, tools: responseTools })
    equal(second.output_text, FINAL_TEXT)
  },
  [`objects by \`responses.parse\` over ${over[id]}`]: async () => {
    const text = { format: zodTextFormat(place, 'place') }
    const { output_parsed } = await client.responses.parse({ model: models[id], input: 'Hello', text })
    deepEqual(output_parsed, { city: 'Paris', degrees: 7 })
  },
  [`\`previous_response_id\` over ${over[id]}`]: async () => {
    const first = await client.responses.create({ model: models[id], input: 'Hello', tools: responseTools })
    const call = first.output.find(({ type }) => type === 'function_call')
    const second = await client.responses.create({
      ...{ model: models[id], previous_response_id: first.id, tools: responseTools },
      input: [{ type: 'function_call_output', call_id: call.call_id, output: 'Sun' }],
    })
    equal(second.output_text, FINAL_TEXT)
    equal(second.previous_response_id, first.id)
  },
  [`kept responses over ${over[id]}`]: async () => {
    const { id: kept } = await client.responses.create({ model: models[id], input: 'Hello', store: true })
    equal((await client.responses.retrieve(kept)).output_text, FINAL_TEXT)
    equal((await collect(client.responses.inputItems.list(kept)))[0].content[0].text, 'Hello')
    await client.responses.delete(kept)
    await rejects(client.responses.retrieve(kept), NotFoundError)
  },
})

await runChecks({
  'list of models, and one of them': async () => {
    const ids = (await collect(client.models.list())).map(({ id }) => id)
    ok(ids.includes('openai/gpt-5') && ids.includes('anthropic/claude-sonnet-4-5'))
    equal((await client.models.retrieve('chat/gpt-5')).id, 'chat/gpt-5')
  },
  'errors as their classes': () =>
    rejects(client.chat.completions.create({ model: 'openai/absent', messages }), NotFoundError),
  ...chatChecks('chat'),
  ...chatChecks('anthropic'),
  'a call of a forced tool': async () => {
    const tool_choice = { type: 'function', function: { name: 'weather' } }
    const { choices } = await client.chat.completions.create({ model: 'chat/gpt-5', messages, tools, tool_choice })
    deepEqual(JSON.parse(choices[0].message.tool_calls[0].function.arguments), { city: 'Paris' })
  },
  ...responseChecks('chat'),
  ...responseChecks('anthropic'),
  ...responseChecks('openai'),
  'a hosted tool that a chat-only upstream lacks is left out, and named': async () => {
    const tools = [{ type: 'code_interpreter', container: { type: 'auto' } }]
    const request = { model: 'chat/gpt-5', input: 'Hello', tools }
    const { data, response } = await client.responses.create(request).withResponse()
    equal(data.output_text, FINAL_TEXT)
    equal(response.headers.get('x-trivium-omitted'), 'code_interpreter')
  },
  'web search by the gateway over a chat-only upstream': async () => {
    const tools = [{ type: 'web_search' }]
    const { output, output_text } = await client.responses.create({ model: 'chat/gpt-5', input: 'Hello', tools })
    equal(output[0].type, 'web_search_call')
    equal(output_text, FINAL_TEXT)
  },
  'responses in the background': async () => {
    const { id } = await client.responses.create({ model: 'chat/gpt-5', input: 'Hello', background: true, store: true })
    let response = await client.responses.retrieve(id)
    while (response.status === 'queued' || response.status === 'in_progress') {
      response = await client.responses.retrieve(id)
    }
    equal(response.output_text, FINAL_TEXT)
  },
  'conversations of responses': async () => {
    const { id: conversation } = await client.conversations.create()
    const response = await client.responses.create({ model: 'chat/gpt-5', input: 'Hello', conversation })
    equal(response.output_text, FINAL_TEXT)
    equal((await collect(client.conversations.items.list(conversation))).length, 2)
  },
  embeddings: async () => {
    const model = 'openai/text-embedding-3-small'
    const { data } = await client.embeddings.create({ model, input: ['one', 'two'], dimensions: 3 })
    deepEqual(data[1].embedding, [0.125, 0.25, 0.375])
    const floats = await client.embeddings.create({ model, input: 'one', encoding_format: 'float' })
    deepEqual(floats.data[0].embedding, [0.125, 0.25, 0.375, 0.5])
  },
  'text completions': async () => {
    const { choices } = await client.completions.create({ model: 'openai/gpt-4o', prompt: 'Hello' })
    equal(choices[0].text, ' world')
  },
  moderations: async () => {
    const { results } = await client.moderations.create({ model: 'openai/omni-moderation-latest', input: 'Hello' })
    equal(results[0].flagged, false)
  },
  'pictures of `gpt-image-1`': async () => {
    const { data } = await client.images.generate({ model: 'openai/gpt-image-1', prompt: 'a hill', size: '1536x1024' })
    match(data[0].b64_json, /^iVBOR/)
  },
  'streamed pictures': async () => {
    const request = { model: 'openai/gpt-image-1', prompt: 'a hill', stream: true, partial_images: 1 }
    const events = await collect(await client.images.generate(request))
    deepEqual(
      events.map(({ type }) => type),
      ['image_generation.partial_image', 'image_generation.completed'],
    )
  },
  'edited pictures, whole and streamed': async () => {
    const request = { model: 'openai/gpt-image-1', prompt: 'a hill', image: await png() }
    match((await client.images.edit(request)).data[0].b64_json, /^iVBOR/)
    const events = await collect(await client.images.edit({ ...request, image: await png(), stream: true }))
    equal(events.at(-1).type, 'image_edit.completed')
  },
  'variations of pictures': async () => {
    const { data } = await client.images.createVariation({ model: 'openai/dall-e-2', image: await png() })
    match(data[0].b64_json, /^iVBOR/)
  },
  'reranking, by a request of its own': async () => {
    const body = { model: 'openai/rerank-1', query: 'sun', documents: ['rain', 'sun'] }
    equal((await client.post('/rerank', { body })).results[0].index, 1)
  },
  speech: async () => {
    const audio = await client.audio.speech.create({ model: 'openai/tts-1', voice: 'alloy', input: 'Hello' })
    equal(await audio.text(), 'ID3 spoken')
  },
  'transcriptions, whole and streamed': async () => {
    const model = 'openai/whisper-1'
    equal((await client.audio.transcriptions.create({ model, file: await wave() })).text, 'spoken words')
    const events = await collect(await client.audio.transcriptions.create({ model, file: await wave(), stream: true }))
    equal(events.at(-1).text, 'spoken words')
  },
  translations: async () => {
    const { text } = await client.audio.translations.create({ model: 'openai/whisper-1', file: await wave() })
    equal(text, 'spoken words')
  },
  'files and batches': async () => {
    const options = { headers: { 'x-trivium-provider': 'openai' } }
    const file = await toFile(Buffer.from('{"line":1}\n'), 'lines.jsonl')
    const { id } = await client.files.create({ file, purpose: 'batch' }, options)
    equal(await (await client.files.content(id, options)).text(), '{"line":1}\n')
    const request = { input_file_id: id, endpoint: '/v1/chat/completions', completion_window: '24h' }
    const batch = await client.batches.create(request, options)
    equal((await client.batches.retrieve(batch.id, options)).status, 'validating')
    equal((await client.batches.cancel(batch.id, options)).status, 'cancelling')
    equal((await client.files.delete(id, options)).deleted, true)
  },
})
