import { gatewayContract } from '@trivium/gateway-core/http'
import type { ImageProvider } from '@trivium/gateway-core/ports'
import { toOpenApi } from '@trivium/http-contract/openapi'
import { localProvider } from '@trivium/local-provider'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { fakeProvider } from './fake-provider.ts'
import { expectFailure, openGateway } from './open-gateway.ts'

afterEach(() => {
  vi.useRealTimers()
})

const PNG = [0x89, 0x50, 0x4e, 0x47]
const imageProvider = (
  generate: ImageProvider['generate'] = async ({ count }) => ({ images: Array.from({ length: count }, testImage) }),
) =>
  fakeProvider({
    images: { generate },
    models: async () => [{ id: 'paint', kind: 'image', ownedBy: 'up', created: 1 }],
  })
const testImage = () =>
  ({ bytes: new Uint8Array([...PNG, 1, 2]), contentType: 'image/png', revisedPrompt: 'A cat.' }) as const

const modernProvider = (models: readonly string[], generate: ImageProvider['generate']) =>
  fakeProvider({
    images: { generate },
    models: async () => models.map((id) => ({ id, kind: 'image', ownedBy: 'up', created: 1 }) as const),
  })

describe('models since gpt-image-1', () => {
  const modern = (...models: readonly string[]) => {
    const generate = vi.fn<ImageProvider['generate']>(async ({ count }) => ({
      images: Array.from({ length: count }, testImage),
      usage: { inputTokens: 3, outputTokens: 4, inputDetails: { textTokens: 1, imageTokens: 2 } },
      report: { background: 'opaque', outputFormat: 'png', quality: 'low', size: '1536x1024' },
    }))
    const all = models.length === 0 ? ['gpt-image-1'] : models
    return { generate, providers: [modernProvider(all, generate)] }
  }

  it('answer with data, the parameters that were used and details of the usage', async () => {
    const { generate, providers } = modern()
    const open = openGateway({ providers })
    const { secret } = await open.key()
    const prompt = '🐈'.repeat(32_000)
    const body = { model: 'up/gpt-image-1', prompt, size: '1536x1024', quality: 'low', output_format: 'png', n: 2 }
    const answer = await (await open.send('/v1/images/generations', { as: secret, body })).json()
    const b64_json = Buffer.from(testImage().bytes).toString('base64')
    expect(answer).toMatchObject({
      data: [{ b64_json }, { b64_json }],
      background: 'opaque',
      output_format: 'png',
      quality: 'low',
      size: '1536x1024',
      usage: {
        input_tokens: 3,
        output_tokens: 4,
        total_tokens: 7,
        input_tokens_details: { text_tokens: 1, image_tokens: 2 },
      },
    })
    expect(generate.mock.lastCall?.[0]).toMatchObject({
      prompt,
      size: { width: 1536, height: 1024 },
      extra: { quality: 'low', output_format: 'png' },
    })
  })

  it('answer with URLs where the request asks for them', async () => {
    const open = openGateway({ providers: modern().providers })
    const { secret } = await open.key()
    const body = { model: 'up/gpt-image-1', prompt: 'a cat', response_format: 'url' }
    const { data } = await (await open.send('/v1/images/generations', { as: secret, body })).json()
    expect(data).toEqual([{ url: expect.stringContaining('/v1/images/files/'), revised_prompt: 'A cat.' }])
  })

  it.each([
    { size: 'auto' },
    { size: '1024x1024' },
    { size: '4096x4096' },
    { size: '1x4096' },
    { quality: 'high', background: 'transparent', output_format: 'webp', output_compression: 100 },
    { moderation: 'low', partial_images: 3, input_fidelity: 'high', stream: false, n: 10 },
    { size: null, quality: null, background: null, partial_images: null },
  ])('accept %j', async (fields) => {
    const { generate, providers } = modern()
    const open = openGateway({ providers })
    const { secret } = await open.key()
    const body = { model: 'up/gpt-image-1', prompt: 'a cat', ...fields }
    expect((await open.send('/v1/images/generations', { as: secret, body })).status).toBe(200)
    const { size, n, stream, ...extra } = fields as Record<string, unknown>
    expect(generate.mock.lastCall?.[0].extra).toEqual(size === 'auto' ? { size } : extra)
  })

  it.each([
    [{ size: '4097x1' }, 'size'],
    [{ size: '0x1' }, 'size'],
    [{ size: '01x1' }, 'size'],
    [{ size: 'x' }, 'size'],
    [{ quality: 'best' }, 'quality'],
    [{ background: 'red' }, 'background'],
    [{ output_format: 'gif' }, 'output_format'],
    [{ output_compression: 101 }, 'output_compression'],
    [{ partial_images: 4 }, 'partial_images'],
    [{ moderation: 'none' }, 'moderation'],
    [{ n: 11 }, 'n'],
    [{ prompt: 'x'.repeat(32_001) }, 'prompt'],
  ])('refuse a parameter out of bounds: $1', async (fields, param) => {
    const open = openGateway({ providers: modern().providers })
    const { secret, key } = await open.key()
    const body = { model: 'up/gpt-image-1', prompt: 'a cat', ...fields }
    await expectFailure(await open.send('/v1/images/generations', { as: secret, body }), 400, { param })
    expect(await open.remaining(key)).toBe(1_000)
  })

  it.each([
    ['painter', 'up/chatgpt-image-latest', 200],
    ['painter', { targets: [{ model: 'up/gpt-image-1' }], fallbacks: ['up/gpt-image-2'] }, 200],
    ['painter', { targets: [{ model: 'up/gpt-image-1' }], fallbacks: ['up/dall-e-2'] }, 400],
    ['gpt-image-1', 'up/dall-e-2', 400],
  ] as const)('follow from what the alias %s leads to', async (model, route, status) => {
    const { providers } = modern('gpt-image-1', 'gpt-image-2', 'chatgpt-image-latest', 'dall-e-2')
    const open = openGateway({ providers, models: { [model]: route } })
    const { secret } = await open.key()
    const body = { model, prompt: 'x'.repeat(1001) }
    expect((await open.send('/v1/images/generations', { as: secret, body })).status).toBe(status)
  })
})

describe('DALL·E 3', () => {
  it.each([
    [{ size: '1792x1024', quality: 'hd', style: 'natural', prompt: 'x'.repeat(4000) }, 200],
    [{ size: '1024x1792' }, 200],
    [{ size: '256x256' }, 400],
    [{ style: 'wild' }, 400],
    [{ quality: 'low' }, 400],
    [{ prompt: 'x'.repeat(4001) }, 400],
    [{ stream: true }, 400],
  ])('has bounds of its own, number %$', async (fields, status) => {
    const open = openGateway({ providers: [modernProvider(['dall-e-3'], async () => ({ images: [testImage()] }))] })
    const { secret } = await open.key()
    const body = { model: 'up/dall-e-3', prompt: 'a cat', ...fields }
    const response = await open.send('/v1/images/generations', { as: secret, body })
    expect(response.status).toBe(status)
    if (status === 200) expect((await response.json()).data[0]).toHaveProperty('url')
  })
})

describe('image generation', () => {
  it('returns URLs that expire', async () => {
    const open = openGateway({ providers: [imageProvider()] })
    const { secret } = await open.key()
    const response = await open.send('/v1/images/generations', { as: secret, body: { prompt: 'a cat', n: 2 } })
    expect(response.status).toBe(200)
    const { created, data } = await response.json()
    expect(created).toBe(Date.UTC(2026, 0, 2, 3, 4, 5) / 1000)
    expect(data).toHaveLength(2)
    expect(data[0]).toEqual({
      url: expect.stringMatching(/^http:\/\/gateway\.test\/v1\/images\/files\/[\w-]{32}$/),
      revised_prompt: 'A cat.',
    })
    const file = await open.send(new URL(data[0].url).pathname)
    expect(Object.fromEntries(file.headers)).toMatchObject({
      'content-type': 'image/png',
      'x-content-type-options': 'nosniff',
      'cache-control': 'private, max-age=3600',
      'content-security-policy': expect.stringContaining('sandbox'),
    })
    expect([...new Uint8Array(await file.arrayBuffer())]).toEqual([...PNG, 1, 2])
    open.time += 3_600_000
    await expectFailure(await open.send(new URL(data[0].url).pathname), 404, { code: 'image_not_found' })
  })

  it.each([
    'x',
    'a'.repeat(32),
    '..%2f..%2fetc%2fpasswd_aaaaaaaaaaa',
    '%00'.repeat(22),
  ])('returns 404 for an image with the id %s', async (id) => {
    const open = openGateway()
    await expectFailure(await open.send(`/v1/images/files/${id}`), 404, { code: 'image_not_found' })
  })

  it('returns images inline where the request asks for that', async () => {
    const open = openGateway({ providers: [localProvider()] })
    const { secret } = await open.key()
    const response = await open.send('/v1/images/generations', {
      as: secret,
      body: { prompt: 'a cat', size: '256x256', response_format: 'b64_json', model: 'local/procedural-no-llm' },
    })
    const { data } = await response.json()
    const bytes = Buffer.from(data[0].b64_json, 'base64')
    expect([...bytes.subarray(0, 4)]).toEqual(PNG)
    expect([bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toEqual([256, 256])
    expect(data[0]).not.toHaveProperty('url')
  })

  it.each([-1, 0.5, 1e300, Number.MAX_SAFE_INTEGER])('records no implausible usage: %j', async (tokens) => {
    const generate = async () => ({ images: [testImage()], usage: { inputTokens: tokens, outputTokens: tokens } })
    const open = openGateway({ providers: [imageProvider(generate)] })
    const { secret } = await open.key()
    const body = { prompt: 'a cat', model: 'up/paint', response_format: 'b64_json' }
    const response = await open.send('/v1/images/generations', { as: secret, body })
    expect([response.status, (await response.json()).usage]).toEqual([200, undefined])
    expect(open.records).toMatchObject([{ inputTokens: 0, outputTokens: 0, images: 1 }])
  })

  it("passes all of the client's fields to the provider", async () => {
    const generate = vi.fn(async () => ({ images: [testImage()], usage: { inputTokens: 3, outputTokens: 4 } }))
    const open = openGateway({ providers: [imageProvider(generate)] })
    const { secret, key } = await open.key()
    const body = {
      prompt: 'a cat',
      model: 'up/paint',
      n: 3,
      size: '512x512',
      user: 'u',
      style: 'vivid',
      seed: 7,
      stream: false,
      timeout: 30,
      response_format: 'url',
    }
    const response = await open.send('/v1/images/generations', { as: secret, body })
    expect((await response.json()).usage).toEqual({ input_tokens: 3, output_tokens: 4, total_tokens: 7 })
    expect(generate).toHaveBeenCalledWith(
      {
        prompt: 'a cat',
        model: 'paint',
        count: 3,
        size: { width: 512, height: 512 },
        user: 'u',
        extra: { style: 'vivid', seed: 7 },
      },
      expect.objectContaining({ requestId: response.headers.get('x-request-id') }),
    )
    expect(open.records).toMatchObject([
      {
        keyId: key.id,
        operation: 'image',
        model: 'up/paint',
        provider: 'up',
        images: 1,
        inputTokens: 3,
        outputTokens: 4,
        status: 200,
      },
    ])
  })

  it.each([
    [{}, 'prompt'],
    [{ prompt: '' }, 'prompt'],
    [{ prompt: 'x'.repeat(1001) }, 'prompt'],
    [{ prompt: '🐈'.repeat(1001) }, 'prompt'],
    [{ prompt: 7 }, 'prompt'],
    [{ prompt: 'x', n: 0 }, 'n'],
    [{ prompt: 'x', n: 11 }, 'n'],
    [{ prompt: 'x', n: 1.5 }, 'n'],
    [{ prompt: 'x', size: '300x300' }, 'size'],
    [{ prompt: 'x', size: '1792x1024' }, 'size'],
    [{ prompt: 'x', response_format: 'png' }, 'response_format'],
    [{ prompt: 'x', model: '' }, 'model'],
    [{ prompt: 'x', stream: true }, 'stream'],
    [{ prompt: 'x', extra: JSON.parse('['.repeat(300) + ']'.repeat(300)) }, null],
  ])('refuses the request $0', async (body, param) => {
    const open = openGateway({ providers: [imageProvider()] })
    const { secret, key } = await open.key()
    await expectFailure(await open.send('/v1/images/generations', { as: secret, body }), 400, { param })
    expect(await open.remaining(key)).toBe(1_000)
  })

  it.each([
    'x',
    '🐈',
  ])('accepts a prompt of 1000 characters (%s), and `null` for optional fields', async (character) => {
    const open = openGateway({ providers: [imageProvider()] })
    const { secret } = await open.key()
    const body = {
      prompt: character.repeat(1_000),
      n: null,
      size: null,
      model: null,
      response_format: null,
      user: null,
    }
    expect((await open.send('/v1/images/generations', { as: secret, body })).status).toBe(200)
  })

  it('has the bounds of a prompt in the OpenAPI document', () => {
    const { createImage } = gatewayContract
    const document = toOpenApi([{ operations: { createImage } }], { info: { title: 'Gateway', version: '1' } })
    expect(JSON.stringify(document.paths)).toContain('"prompt":{"type":"string","minLength":1,"maxLength":32000}')
  })

  it('uses the default model of the host', async () => {
    const open = openGateway({ providers: [imageProvider(), localProvider()], images: { defaultModel: 'up/paint' } })
    const { secret } = await open.key()
    const response = await open.send('/v1/images/generations', { as: secret, body: { prompt: 'x' } })
    expect(response.headers.get('x-trivium-provider')).toBe('up')
  })

  it('requires an image model, and a store for URLs', async () => {
    const none = openGateway()
    const { secret } = await none.key()
    await expectFailure(await none.send('/v1/images/generations', { as: secret, body: { prompt: 'x' } }), 404, {
      code: 'model_not_found',
    })
    const storeless = openGateway({ providers: [imageProvider()], withoutImageStore: true })
    const key = await storeless.key()
    const url = await storeless.send('/v1/images/generations', { as: key.secret, body: { prompt: 'x' } })
    await expectFailure(url, 400, { param: 'response_format' })
    const inline = await storeless.send('/v1/images/generations', {
      as: key.secret,
      body: { prompt: 'x', response_format: 'b64_json' },
    })
    expect(inline.status).toBe(200)
  })

  it('removes expired images when new ones are stored', async () => {
    const open = openGateway({ providers: [imageProvider()], images: { storeSeconds: 30 } })
    const { secret } = await open.key()
    const createOne = () => open.send('/v1/images/generations', { as: secret, body: { prompt: 'x' } })
    const { data } = await (await createOne()).json()
    const id = new URL(data[0].url).pathname.split('/').at(-1)
    open.time += 61_000
    await createOne()
    open.time -= 61_000
    expect(await open.gateway.images.find(id ?? '')).toBeUndefined()
  })

  it('returns URLs at the address of the request where there is no `publicUrl`', async () => {
    const open = openGateway({ providers: [imageProvider()], withoutPublicUrl: true })
    const { secret } = await open.key()
    const response = await open.send('/v1/images/generations', { as: secret, body: { prompt: 'x' } })
    expect((await response.json()).data[0].url).toMatch(/^http:\/\/gateway\.test\/v1\/images\/files\//)
  })
})
