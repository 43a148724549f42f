import type { ServerResponse } from 'node:http'
import type { ImageRequest } from '@trivium/gateway-core/ports'
import { describe, expect, it, onTestFinished } from 'vitest'
import { context, failureOf } from '../../../gateway-core/tests/provider-calls.ts'
import { type SeenRequest, upstreamServer } from '../../../gateway-core/tests/upstream-server.ts'
import { type OpenAiProviderOptions, openAiProvider } from '../open-ai-provider.ts'

const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')
const JPEG = Buffer.from('ffd8ffe000104a464946', 'hex')
const WEBP = Buffer.from('524946461a00000057454250', 'hex')

const request = (fields: Partial<ImageRequest> = {}): ImageRequest => ({
  model: 'dall-e-3',
  prompt: 'A cat',
  count: 1,
  extra: {},
  ...fields,
})

async function imagesWith(
  answer: (request: SeenRequest, response: ServerResponse) => void,
  options: (origin: string) => Partial<OpenAiProviderOptions> = () => ({}),
) {
  const server = await upstreamServer(answer)
  const provider = openAiProvider({ baseUrl: `${server.origin}/v1`, apiKey: 'secret', ...options(server.origin) })
  onTestFinished(() => provider.close?.())
  if (!provider.images) throw new Error('It has no images')
  return { ...server, images: provider.images }
}

const pictures =
  (data: readonly unknown[], more: object = {}) =>
  (_: SeenRequest, response: ServerResponse) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ created: 1, data, ...more }))
  }

describe('images of openAiProvider', () => {
  it('come from a request for image data', async () => {
    const { images, seen } = await imagesWith(
      pictures([{ b64_json: PNG.toString('base64'), revised_prompt: 'A black cat' }], {
        usage: { input_tokens: 3, output_tokens: 4, total_tokens: 7 },
      }),
    )
    const size = { width: 512, height: 256 }
    const answer = await images.generate(
      request({ size, user: 'u', extra: { style: 'vivid', response_format: 'url', n: 9 } }),
      context(),
    )
    expect(answer).toEqual({
      images: [{ bytes: new Uint8Array(PNG), contentType: 'image/png', revisedPrompt: 'A black cat' }],
      usage: { inputTokens: 3, outputTokens: 4 },
    })
    expect(seen[0]).toMatchObject({ path: '/v1/images/generations', headers: { authorization: 'Bearer secret' } })
    expect(JSON.parse(seen[0]?.body ?? '')).toEqual({
      model: 'dall-e-3',
      prompt: 'A cat',
      n: 1,
      size: '512x256',
      user: 'u',
      style: 'vivid',
      response_format: 'b64_json',
    })
  })

  it('contain the details that the upstream reports', async () => {
    const { images, seen } = await imagesWith(
      pictures([{ b64_json: PNG.toString('base64') }], {
        background: 'opaque',
        output_format: 'png',
        quality: 'x'.repeat(41),
        size: '1024x1024',
        usage: {
          input_tokens: 3,
          output_tokens: 4,
          input_tokens_details: { text_tokens: 1, image_tokens: 2 },
        },
      }),
    )
    const answer = await images.generate(request({ model: 'openai/gpt-image-1', extra: { size: 'auto' } }), context())
    expect(answer).toMatchObject({
      usage: { inputTokens: 3, outputTokens: 4, inputDetails: { textTokens: 1, imageTokens: 2 } },
    })
    expect(answer.report).toEqual({ background: 'opaque', outputFormat: 'png', size: '1024x1024' })
    expect(JSON.parse(seen[0]?.body ?? '')).toEqual({
      model: 'openai/gpt-image-1',
      prompt: 'A cat',
      n: 1,
      size: 'auto',
    })
  })

  it.each([
    ['image/png', PNG],
    ['image/jpeg', JPEG],
    ['image/webp', WEBP],
  ])('get the content type %s by their bytes', async (contentType, bytes) => {
    const { images } = await imagesWith(pictures([{ b64_json: bytes.toString('base64') }]))
    expect((await images.generate(request(), context())).images).toMatchObject([{ contentType }])
  })

  it('stop at the requested number', async () => {
    const record = { b64_json: PNG.toString('base64') }
    const { images } = await imagesWith(pictures([record, record, record]))
    expect((await images.generate(request({ count: 2 }), context())).images).toHaveLength(2)
  })

  it('come from a second request if the model refuses response_format', async () => {
    const { images, seen } = await imagesWith((asked, response) => {
      if ('response_format' in JSON.parse(asked.body)) {
        response.writeHead(400)
        response.end(JSON.stringify({ error: { message: "Unknown parameter: 'response_format'." } }))
      } else pictures([{ b64_json: PNG.toString('base64') }])(asked, response)
    })
    expect((await images.generate(request(), context())).images).toHaveLength(1)
    expect((await images.generate(request({ model: 'gpt-image-1' }), context())).images).toHaveLength(1)
    expect(seen).toHaveLength(3)
  })

  it.each([
    ['an answer without images', {}],
    ['an answer without a list', { data: {} }],
    ['a text', { data: [{ b64_json: Buffer.from('<svg/>').toString('base64') }] }],
    ['an empty image', { data: [{}] }],
  ])('fail as malformed for %s', async (_, body) => {
    const { images } = await imagesWith((_request, response) => response.end(JSON.stringify(body)))
    expect(await failureOf(images.generate(request(), context()))).toMatchObject({ type: 'malformed' })
  })

  it('fail when the upstream refuses', async () => {
    const { images } = await imagesWith((_, response) => {
      response.writeHead(400)
      response.end(JSON.stringify({ error: { message: 'Not that', code: 'content_policy_violation' } }))
    })
    expect(await failureOf(images.generate(request(), context()))).toMatchObject({
      type: 'refused',
      status: 400,
      code: 'content_policy_violation',
    })
  })
})

describe('URLs of images in openAiProvider', () => {
  const both = (place: (origin: string) => string) => {
    let origin = ''
    return imagesWith(
      (asked, response) => {
        if (asked.method === 'POST') pictures([{ url: place(origin) }])(asked, response)
        else if (asked.path === '/moved') response.writeHead(302, { location: '/p.png' }).end()
        else response.writeHead(200, { 'content-type': 'text/plain' }).end(PNG)
      },
      (own) => {
        origin = own
        return { imageOrigins: [own] }
      },
    )
  }

  it('lead to images from allowed origins, without credentials', async () => {
    const { images, seen } = await both((origin) => `${origin}/p.png?sig=1`)
    expect((await images.generate(request(), context())).images).toMatchObject([{ contentType: 'image/png' }])
    expect(seen[1]).toMatchObject({ method: 'GET', path: '/p.png?sig=1' })
    expect(seen[1]?.headers).not.toHaveProperty('authorization')
  })

  it.each([
    ['another origin', () => 'http://127.0.0.1:1/p.png'],
    ['a file', () => 'file:///etc/passwd'],
    ['a redirect', (origin: string) => `${origin}/moved`],
    ['user information that looks like the origin', (origin: string) => `${origin}@127.0.0.1:1/p.png`],
    ['nonsense', () => 'nonsense'],
  ])('lead to no request for %s', async (_, place) => {
    const { images, seen } = await both(place)
    expect(await failureOf(images.generate(request(), context()))).toMatchObject({ type: 'malformed' })
    expect(seen.filter(({ path }) => path === '/p.png')).toEqual([])
  })

  it('lead to no request without allowed origins', async () => {
    const { images, seen } = await imagesWith((asked, response) =>
      pictures([{ url: `http://${asked.headers.host}/p.png` }])(asked, response),
    )
    expect(await failureOf(images.generate(request(), context()))).toMatchObject({ type: 'malformed' })
    expect(seen).toHaveLength(1)
  })
})
