import { describe, expect, it } from 'vitest'
import { events, startEndpoints as start } from './endpoint-gateway.ts'

describe('speech of the openai client', () => {
  it('arrives as bytes, with the content type of the upstream', async () => {
    const { client, upstream, record } = await start((_, response) => {
      response.writeHead(200, { 'content-type': 'audio/wav' })
      response.write('RIFF')
      response.end('data')
    })
    const response = await client.audio.speech.create({ model: 'up/tts-1', input: 'Hello you', voice: 'alloy' })
    expect(response.headers.get('content-type')).toBe('audio/wav')
    expect(response.headers.get('x-content-type-options')).toBe('nosniff')
    expect(Buffer.from(await response.arrayBuffer()).toString()).toBe('RIFFdata')
    expect(JSON.parse(upstream.seen[0]?.body ?? '')).toEqual({ model: 'tts-1', input: 'Hello you', voice: 'alloy' })
    expect(await record).toMatchObject({
      operation: 'audio',
      streamed: true,
      inputTokens: 3,
      estimated: true,
      status: 200,
    })
  })

  it('cuts the answer off where the upstream does', async () => {
    const { client, record } = await start((_, response) => {
      response.writeHead(200, { 'content-type': 'audio/mpeg' })
      response.write('half', () => setImmediate(() => response.destroy()))
    })
    const response = await client.audio.speech.create({ model: 'up/tts-1', input: 'Hello', voice: 'alloy' })
    await expect(response.arrayBuffer()).rejects.toThrow()
    expect(await record).toMatchObject({ status: 502, partial: true })
  })

  it('streams events, whose last one makes it complete', async () => {
    const { url, secret, record } = await start((_, response) => {
      events(
        response,
        { type: 'speech.audio.delta', audio: 'AAAA' },
        { type: 'speech.audio.done', usage: { input_tokens: 4, output_tokens: 20, total_tokens: 24 } },
      )
      response.end()
    })
    const response = await fetch(`${url}/v1/audio/speech`, {
      method: 'POST',
      headers: { authorization: `Bearer ${secret}` },
      body: JSON.stringify({ model: 'up/tts-1', input: 'Hello', voice: 'alloy', stream_format: 'sse' }),
    })
    expect(response.headers.get('content-type')).toBe('text/event-stream')
    const text = await response.text()
    expect(text).toContain('speech.audio.done')
    expect(text).not.toContain('error')
    expect(await record).toMatchObject({ inputTokens: 4, outputTokens: 20, partial: false, status: 200 })
  })

  it('ends in an error event where its events are cut', async () => {
    const { url, secret } = await start((_, response) => {
      events(response, { type: 'speech.audio.delta', audio: 'AAAA' })
      response.end()
    })
    const response = await fetch(`${url}/v1/audio/speech`, {
      method: 'POST',
      headers: { authorization: `Bearer ${secret}` },
      body: JSON.stringify({ model: 'up/tts-1', input: 'Hello', stream_format: 'sse' }),
    })
    expect(await response.text()).toContain('"code":"upstream_incomplete"')
  })

  it('refuses a content type that is not audio as malformed', async () => {
    const { client } = await start((_, response) => {
      response.writeHead(200, { 'content-type': 'text/html' })
      response.end('<script>')
    })
    await expect(client.audio.speech.create({ model: 'up/tts-1', input: 'a', voice: 'alloy' })).rejects.toMatchObject({
      status: 502,
    })
  })

  it('waits for a client that does not read, and ends when it disconnects', async () => {
    let written = 0
    let ended: () => void = () => undefined
    const closed = new Promise<void>((resolve) => {
      ended = resolve
    })
    const { client, record } = await start((_, response) => {
      response.on('close', () => ended())
      response.writeHead(200, { 'content-type': 'audio/pcm' })
      const more = () => {
        while (!response.destroyed && response.write(Buffer.alloc(65_536))) written += 65_536
      }
      response.on('drain', more)
      more()
    })
    const controller = new AbortController()
    const response = await client.audio.speech.create(
      { model: 'up/tts-1', input: 'a', voice: 'alloy' },
      { signal: controller.signal },
    )
    const reader = response.body?.getReader()
    await reader?.read()
    controller.abort()
    await closed
    expect(await record).toMatchObject({ status: 499, partial: true })
    expect(written).toBeLessThan(100 * 2 ** 20)
  })
})
