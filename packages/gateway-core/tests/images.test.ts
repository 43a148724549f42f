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
    expect(JSON.stringify(document.paths)).toContain('"prompt":{"type":"string","minLength":1,"maxLength":1000}')
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
