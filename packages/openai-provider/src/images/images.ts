import {
  type GeneratedImage,
  type GeneratedImages,
  type ImageProvider,
  type ImageRequest,
  imageContentType,
  type ProviderContext,
  ProviderFailure,
} from '@trivium/gateway-core/ports'
import { isSuccess, readJson, type Upstream } from '@trivium/provider-kit'
import { isObject, type JsonObject } from '@trivium/provider-kit/answers'
import { refusalIn } from '../error-fields.ts'
import type { ImageDownload } from './image-download.ts'

export function imagesOver(upstream: Upstream, download: ImageDownload): ImageProvider {
  /** Models that always answer with image data refuse the parameter `response_format`. */
  async function ask(request: ImageRequest, context: ProviderContext): Promise<unknown> {
    const asks = !/(?:^|\/)(?:chat)?gpt-image/i.test(request.model)
    const answer = await upstream.call({ path: PATH, body: encode(request, asks) }, context)
    if (isSuccess(answer)) return readJson(answer)
    const refused = await upstream.refusalOf(answer)
    if (!asks || refused.status !== 400 || !/response_format/.test(refused.text)) throw upstream.failureOf(refused)
    return readJson(await upstream.ask({ path: PATH, body: encode(request, false) }, context))
  }

  async function image(record: unknown, context: ProviderContext): Promise<GeneratedImage> {
    const { b64_json, url, revised_prompt } = isObject(record) ? record : {}
    const bytes =
      typeof b64_json === 'string'
        ? new Uint8Array(Buffer.from(b64_json, 'base64'))
        : typeof url === 'string'
          ? await download(url, context)
          : new Uint8Array()
    const contentType = imageContentType(bytes)
    if (!contentType) throw malformed('The upstream answered with data that is not an image.')
    return { bytes, contentType, ...(typeof revised_prompt === 'string' ? { revisedPrompt: revised_prompt } : {}) }
  }

  return {
    generate: async (request, context) => {
      const answer = await ask(request, context)
      const refused = refusalIn(answer, upstream)
      if (refused) throw refused
      if (!isObject(answer) || !Array.isArray(answer.data)) throw malformed('The upstream answered without images.')
      const images = await Promise.all(answer.data.slice(0, request.count).map((record) => image(record, context)))
      return { images, ...usage(answer.usage), ...report(answer) }
    },
  }
}

const PATH = '/images/generations'

function encode({ model, prompt, count, size, user, extra }: ImageRequest, asksPicture: boolean): string {
  const { response_format: _, ...others } = extra
  return JSON.stringify({
    ...others,
    model,
    prompt,
    n: count,
    ...(size ? { size: `${size.width}x${size.height}` } : {}),
    ...(user === undefined ? {} : { user }),
    ...(asksPicture ? { response_format: 'b64_json' } : {}),
  })
}

const malformed = (message: string) => new ProviderFailure({ type: 'malformed', message })

function usage(counts: unknown) {
  const { input_tokens, output_tokens, input_tokens_details }: JsonObject = isObject(counts) ? counts : {}
  if (typeof input_tokens !== 'number' || typeof output_tokens !== 'number') return {}
  const { text_tokens, image_tokens }: JsonObject = isObject(input_tokens_details) ? input_tokens_details : {}
  const isDetailed = typeof text_tokens === 'number' && typeof image_tokens === 'number'
  return {
    usage: {
      inputTokens: input_tokens,
      outputTokens: output_tokens,
      ...(isDetailed ? { inputDetails: { textTokens: text_tokens, imageTokens: image_tokens } } : {}),
    },
  }
}

/** The parameters that the upstream used. Long texts are not among their values. */
function report({ background, output_format, quality, size }: JsonObject): Pick<GeneratedImages, 'report'> {
  const used = {
    ...(isShort(background) && { background }),
    ...(isShort(output_format) && { outputFormat: output_format }),
    ...(isShort(quality) && { quality }),
    ...(isShort(size) && { size }),
  }
  return Object.keys(used).length > 0 ? { report: used } : {}
}

const isShort = (value: unknown): value is string => typeof value === 'string' && value.length <= 40
