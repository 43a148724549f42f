import { describe, expect, it } from 'vitest'
import { events, json, startEndpoints as start } from './endpoint-gateway.ts'

describe('completions of the openai client', () => {
  const chunk = (text: string, finish_reason: string | null = null) => ({
    id: 'cmpl-1',
    object: 'text_completion',
    created: 1_700_000_000,
    model: 'davinci-002',
    choices: [{ index: 0, text, finish_reason, logprobs: null }],
  })
  const usage = { ...chunk(''), choices: [], usage: { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 } }

  it('returns a whole one, with the fields of the request unchanged', async () => {
    const { client, upstream, record } = await start(json({ ...chunk('Hi', 'stop'), usage: usage.usage }))
    const request = { model: 'up/davinci-002', prompt: ['a', 'b'], suffix: '!', echo: true, best_of: 2, logprobs: 1 }
    const { choices } = await client.completions.create(request)
    expect(choices[0]?.text).toBe('Hi')
    expect(JSON.parse(upstream.seen[0]?.body ?? '')).toEqual({ ...request, model: 'davinci-002' })
    expect(await record).toMatchObject({ operation: 'completion', inputTokens: 3, outputTokens: 2 })
  })

  it('stream, with their usage in the record but not for a client that did not request it', async () => {
    const { client, upstream, record } = await start((_, response) => {
      events(response, chunk('Hel'), chunk('lo', 'stop'), usage, '[DONE]')
      response.end()
    })
    const chunks = []
    for await (const part of await client.completions.create({ model: 'up/davinci-002', prompt: 'a', stream: true }))
      chunks.push(part)
    expect(chunks.map(({ choices }) => choices[0]?.text)).toEqual(['Hel', 'lo'])
    expect(JSON.parse(upstream.seen[0]?.body ?? '')).toMatchObject({ stream_options: { include_usage: true } })
    expect(await record).toMatchObject({ streamed: true, inputTokens: 3, outputTokens: 2, partial: false })
  })

  it('end in an error where the stream is cut', async () => {
    const { client, record } = await start((_, response) => {
      events(response, chunk('Hel'))
      response.end()
    })
    const stream = await client.completions.create({ model: 'up/davinci-002', prompt: 'a', stream: true })
    const read = async () => {
      for await (const _ of stream);
    }
    await expect(read()).rejects.toThrow('before it was complete')
    expect(await record).toMatchObject({ status: 502, partial: true, outputTokens: 1, estimated: true })
  })

  it('become a stream where the upstream answers with a whole one', async () => {
    const { client } = await start(json(chunk('Hi', 'stop')))
    let text = ''
    for await (const part of await client.completions.create({ model: 'up/davinci-002', prompt: 'a', stream: true })) {
      text += part.choices[0]?.text
    }
    expect(text).toBe('Hi')
  })
})
