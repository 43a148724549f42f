import type { ImageModelV2, ImageModelV3, ImageModelV4 } from '@ai-sdk/provider'
import {
  type GeneratedImage,
  type GeneratedImages,
  type ImageRequest,
  imageContentType,
  type ProviderContext,
  ProviderFailure,
} from '@trivium/gateway-core/ports'
import { countOr, isObject, listOr, objectOr, textOr } from '@trivium/provider-kit/answers'
import type { ProviderOptions } from './requests/call-options.ts'

/** An image model object of the AI SDK, distinguished by its `specificationVersion`. */
export type AiSdkImageModel = ImageModelV4 | ImageModelV3 | ImageModelV2

/** Generates images with as many parallel calls as the model needs for their number. Rejects if one call fails. */
export async function generateImages(
  model: AiSdkImageModel,
  request: ImageRequest,
  context: ProviderContext,
  providerOptions: ProviderOptions = {},
): Promise<GeneratedImages> {
  const most = await perCall(model)
  const counts = Array.from({ length: Math.ceil(request.count / most) }, (_, index) =>
    Math.min(most, request.count - index * most),
  )
  const results = await Promise.all(counts.map((count) => generate(model, request, count, context, providerOptions)))
  const usages = results.flatMap((result) => ('usage' in result && result.usage ? [result.usage] : []))
  return {
    images: results.flatMap(pictures),
    ...(usages.length > 0
      ? {
          usage: {
            inputTokens: usages.reduce((sum, { inputTokens }) => sum + countOr(inputTokens), 0),
            outputTokens: usages.reduce((sum, { outputTokens }) => sum + countOr(outputTokens), 0),
          },
        }
      : {}),
  }
}

async function perCall({ maxImagesPerCall, modelId }: AiSdkImageModel): Promise<number> {
  const most = typeof maxImagesPerCall === 'function' ? await maxImagesPerCall({ modelId }) : maxImagesPerCall
  return Math.max(1, most ?? 1)
}

type Result = Awaited<ReturnType<AiSdkImageModel['doGenerate']>>

async function generate(
  model: AiSdkImageModel,
  { prompt, size, extra }: ImageRequest,
  n: number,
  { signal, headers }: ProviderContext,
  providerOptions: ProviderOptions,
): Promise<Result> {
  const aspectRatio = /^(\d+):(\d+)$/.exec(textOr(extra.aspect_ratio))
  const options = {
    prompt,
    n,
    size: size ? (`${size.width}x${size.height}` as const) : undefined,
    aspectRatio: aspectRatio ? (`${Number(aspectRatio[1])}:${Number(aspectRatio[2])}` as const) : undefined,
    seed: typeof extra.seed === 'number' ? extra.seed : undefined,
    providerOptions,
    abortSignal: signal,
    headers: { ...headers },
  }
  if (model.specificationVersion === 'v2') return model.doGenerate(options)
  return model.doGenerate({ ...options, files: undefined, mask: undefined })
}

function pictures({ images, providerMetadata }: Result): readonly GeneratedImage[] {
  const imageMetadata = Object.values(objectOr(providerMetadata)).flatMap((metadata) => [
    listOr(objectOr(metadata).images),
  ])
  return images.map((image, index) => {
    const bytes = typeof image === 'string' ? new Uint8Array(Buffer.from(image, 'base64')) : image
    const contentType = imageContentType(bytes)
    if (!contentType) {
      throw new ProviderFailure({
        type: 'malformed',
        message: 'The upstream answered with data that is not an image.',
      })
    }
    const revisedPrompt = imageMetadata.map((list) => list[index]).find(isObject)?.revisedPrompt
    return { bytes, contentType, ...(typeof revisedPrompt === 'string' ? { revisedPrompt } : {}) }
  })
}
