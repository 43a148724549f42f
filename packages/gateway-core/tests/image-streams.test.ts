import { localProvider } from '@trivium/local-provider'
import { describe, expect, it } from 'vitest'
import { expectFailure, openGateway } from './open-gateway.ts'
import { transports } from './serve-gateway.ts'
import { answerEvents, answerJson, startUploads, startUpstream, upstreamProvider } from './upload-gateway.ts'

const partial = { type: 'image_generation.partial_image', b64_json: 'iV', partial_image_index: 0 } as const
const completed = {
  type: 'image_generation.completed',
  b64_json: 'iVBO',
  size: '1024x1024',
  quality: 'low',
  usage: { input_tokens: 3, output_tokens: 4, total_tokens: 7 },
} as const

const path = '/v1/images/generations'
const model = 'up/gpt-image-1'

async function bodyOf(incoming: AsyncIterable<Buffer>): Promise<Record<string, unknown>> {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk)
  return JSON.parse(Buffer.concat(chunks).toString())
}

describe.each(transports)('streams of images over %s', (transport) => {
  it('reach the openai client, with partial images and usage', async () => {
    const bodies: unknown[] = []
    const { client, record } = await startUploads(async (incoming, response) => {
      bodies.push(await bodyOf(incoming))
      answerEvents(response, partial, completed)
      response.end()
    }, transport)
    const prompt = 'x'.repeat(32_000)
    const stream = await client.images.generate({ model, prompt, stream: true, partial_images: 1, quality: 'low' })
    const events: unknown[] = []
    for await (const event of stream) events.push(event)
    expect(events).toEqual([partial, completed])
    expect(bodies).toEqual([{ model: 'gpt-image-1', prompt, stream: true, partial_images: 1, quality: 'low' }])
    expect(await record).toMatchObject({ operation: 'image', images: 1, inputTokens: 3, outputTokens: 4, status: 200 })
  })

  it('come as whole images without `stream`, as data by default', async () => {
    const { client } = await startUploads(async (incoming, response) => {
      expect(await bodyOf(incoming)).toEqual({ model: 'gpt-image-1', prompt: 'A cat', n: 1, size: '1024x1536' })
      const b64_json = Buffer.from('89504e470d0a1a0a', 'hex').toString('base64')
      answerJson(response, { created: 1, data: [{ b64_json }], output_format: 'png', usage: completed.usage })
    }, transport)
    const answer = await client.images.generate({ model, prompt: 'A cat', size: '1024x1536' })
    expect(answer).toMatchObject({ data: [{ b64_json: 'iVBORw0KGgo=' }], output_format: 'png', usage: completed.usage })
  })
})

describe('streams of images', () => {
  const start = async (listener: Parameters<typeof startUpstream>[0]) => {
    const origin = await startUpstream(listener)
    const open = openGateway({ providers: [upstreamProvider(origin)], retries: { retries: 0 } })
    const { secret } = await open.key()
    const ask = (more: object = {}, signal?: AbortSignal) => {
      const body = { model, prompt: 'A cat', stream: true, ...more }
      return open.send(path, { as: secret, body, ...(signal ? { signal } : {}) })
    }
    return { open, ask, secret }
  }

  it.each([
    ['cut', false],
    ['ended', true],
  ])('end with an error where the upstream has %s them before they are complete', async (_, isEnd) => {
    const { ask, open } = await start((_, response) => {
      answerEvents(response, partial)
      if (isEnd) response.end()
      else setImmediate(() => response.destroy())
    })
    const text = await (await ask()).text()
    expect(text).toContain('image_generation.partial_image')
    expect(text).toMatch(/data: \{"error":\{.*\}\}\n\n$/)
    await expect.poll(() => open.records).toMatchObject([{ partial: true, images: 0 }])
  })

  it('pass on an error inside the stream', async () => {
    const { ask } = await start((_, response) => {
      answerEvents(response, partial, { type: 'error', error: { message: 'sk-upstream-secret is blocked' } } as never)
      response.end()
    })
    const text = await (await ask()).text()
    expect(text).toContain('*** is blocked')
  })

  it('get the status of an upstream that refuses them', async () => {
    const { ask } = await start((_, response) =>
      answerJson(response, { error: { message: 'Blocked', code: 'moderation_blocked' } }, 400),
    )
    await expectFailure(await ask(), 400, { code: 'moderation_blocked' })
  })

  it('consist of one event where the upstream answers with whole images', async () => {
    const { ask } = await start((_, response) =>
      answerJson(response, { created: 1, data: [{ b64_json: 'iVBO' }], size: 'auto', usage: completed.usage }),
    )
    const response = await ask()
    expect(response.headers.get('content-type')).toContain('text/event-stream')
    const event = JSON.parse(/data: (.*)\n/.exec(await response.text())?.[1] ?? '')
    expect(event).toEqual({
      type: 'image_generation.completed',
      b64_json: 'iVBO',
      created_at: 1,
      size: 'auto',
      usage: completed.usage,
    })
  })

  it('cancel the request to the upstream when the client disconnects', async () => {
    let closed: () => void = () => undefined
    const isClosed = new Promise<void>((resolve) => {
      closed = resolve
    })
    const { ask, open } = await start((_, response) => {
      response.on('close', closed)
      answerEvents(response, partial)
    })
    const reader = (await ask()).body?.getReader()
    await reader?.read()
    await reader?.cancel()
    await isClosed
    await expect.poll(() => open.records).toMatchObject([{ status: 499, partial: true }])
  })

  it('contain data in any case', async () => {
    const { ask } = await start(async (incoming, response) => {
      expect(await bodyOf(incoming)).toEqual({ model: 'gpt-image-1', prompt: 'A cat', stream: true })
      answerEvents(response, completed)
      response.end()
    })
    expect((await ask({ response_format: 'b64_json' })).status).toBe(200)
    await expectFailure(await ask({ response_format: 'url' }), 400, { param: 'response_format' })
  })

  it.each(['up/dall-e-2', 'local/procedural-no-llm'])('get a 400 for %s, which cannot stream', async (other) => {
    const { secret } = await start(() => undefined)
    const origin = await startUpstream(() => undefined)
    const open = openGateway({ providers: [upstreamProvider(origin), localProvider()] })
    const key = await open.key()
    expect(secret).not.toBe(key.secret)
    const body = { model: other, prompt: 'A cat', stream: true }
    await expectFailure(await open.send(path, { as: key.secret, body }), 400, { param: 'stream' })
  })
})
