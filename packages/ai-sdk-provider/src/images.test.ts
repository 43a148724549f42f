import type { ImageModelV2, ImageModelV3, ImageModelV4 } from '@ai-sdk/provider'
import type { ImageRequest } from '@trivium/gateway-core/ports'
import { describe, expect, it } from 'vitest'
import { context, failureOf } from '../../gateway-core/tests/provider-calls.ts'
import { aiSdkProvider } from './ai-sdk-provider.ts'
import type { AiSdkImageModel } from './images.ts'

const PNG = Buffer.from('89504e470d0a1a0a00', 'hex')

const common = { provider: 'fake', modelId: 'fake-1' }
const response = { timestamp: new Date(0), modelId: 'fake-1', headers: undefined }

function v4(maxImagesPerCall: ImageModelV4['maxImagesPerCall'], image = PNG.toString('base64')) {
  const calls: Parameters<ImageModelV4['doGenerate']>[0][] = []
  const model: ImageModelV4 = {
    ...common,
    specificationVersion: 'v4',
    maxImagesPerCall,
    doGenerate: async (options) => {
      calls.push(options)
      return {
        images: Array.from({ length: options.n }, () => image),
        warnings: [],
        response,
        providerMetadata: { fake: { images: [{ revisedPrompt: 'A black cat' }] } },
        usage: { inputTokens: 2, outputTokens: 3, totalTokens: 5 },
      }
    },
  }
  return { model, calls }
}

const request: ImageRequest = { model: 'm', prompt: 'A cat', count: 1, extra: {} }

function generate(model: AiSdkImageModel, fields: Partial<ImageRequest> = {}) {
  const { images } = aiSdkProvider({ id: 'sdk', imageModels: { m: model } })
  if (!images) throw new Error('It has no images')
  return images.generate({ ...request, ...fields }, context())
}

describe('images of aiSdkProvider', () => {
  it('follow the parameters of the client', async () => {
    const { model, calls } = v4(10)
    const answer = await generate(model, {
      count: 2,
      size: { width: 256, height: 512 },
      extra: { seed: 7, aspect_ratio: '16:9' },
    })
    expect(calls).toMatchObject([{ prompt: 'A cat', n: 2, size: '256x512', aspectRatio: '16:9', seed: 7 }])
    expect(answer).toEqual({
      images: [
        { bytes: new Uint8Array(PNG), contentType: 'image/png', revisedPrompt: 'A black cat' },
        { bytes: new Uint8Array(PNG), contentType: 'image/png' },
      ],
      usage: { inputTokens: 2, outputTokens: 3 },
    })
  })

  it.each([
    [undefined, [1, 1, 1]],
    [2, [2, 1]],
    [() => Promise.resolve(3), [3]],
    [0, [1, 1, 1]],
  ])('take as many calls as the model needs', async (most, counts) => {
    const { model, calls } = v4(most)
    const answer = await generate(model, { count: 3 })
    expect(calls.map(({ n }) => n)).toEqual(counts)
    expect(answer.images).toHaveLength(3)
    expect(answer.usage).toEqual({ inputTokens: 2 * counts.length, outputTokens: 3 * counts.length })
  })

  it('work with models of earlier specifications', async () => {
    const result = { images: [new Uint8Array(PNG)], warnings: [], response }
    const v3: ImageModelV3 = {
      ...common,
      specificationVersion: 'v3',
      maxImagesPerCall: 1,
      doGenerate: async () => result,
    }
    const v2: ImageModelV2 = {
      ...common,
      specificationVersion: 'v2',
      maxImagesPerCall: 1,
      doGenerate: async () => result,
    }
    for (const model of [v3, v2]) {
      expect(await generate(model)).toEqual({ images: [{ bytes: new Uint8Array(PNG), contentType: 'image/png' }] })
    }
  })

  it('fail if the data is not an image', async () => {
    const svg = Buffer.from('<svg/>').toString('base64')
    expect(await failureOf(generate(v4(1, svg).model))).toMatchObject({ type: 'malformed' })
  })

  it('fail with 404 for an unknown model', async () => {
    expect(await failureOf(generate(v4(1).model, { model: 'x' }))).toMatchObject({ status: 404 })
  })
})
