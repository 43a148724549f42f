import { issueOf } from '@trivium/http-contract'
import type { InferOutput } from 'valibot'
import type { ImageFamily } from '../../images/image-family.ts'
import type { ImageReport, ImageUsage } from '../../images/image-request.ts'
import type { CreatedImage, CreatedImages, NewImages } from '../../images/images.ts'
import { answerHeaders } from '../access/answer-headers.ts'
import { sendEndpoint } from '../endpoints/send-endpoint.ts'
import { failure } from '../errors/failure.ts'
import { inputFailure } from '../errors/input-failure.ts'
import { type GatewayHandlers, type HandlerParts, refuseCall } from '../handler-parts.ts'
import {
  type imageAnswerSchema,
  type imageRequestSchema,
  imageRequestSchemas,
  streamedRequestSchema,
  wholeRequestSchema,
} from './image-schema.ts'
import { imageStreamAnswer, imageStreamRequest } from './image-stream.ts'

/** Prevent a browser from running an image as a document or a script. */
const fileHeaders = {
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; sandbox",
  'cross-origin-resource-policy': 'cross-origin',
}

export function imageHandlers(parts: HandlerParts): GatewayHandlers<'createImage' | 'getImageFile'> {
  const { gateway, now } = parts
  return {
    async createImage(call) {
      const { body } = call
      const traits = await gateway.images.traits(body.model ?? undefined)
      const { family } = traits
      const issue =
        issueOf('body', imageRequestSchemas[family], body) ??
        (body.stream ? issueOf('body', traits.canStream ? streamedRequestSchema : wholeRequestSchema, body) : undefined)
      if (issue) return inputFailure(issue)
      if (body.stream)
        return sendEndpoint(parts, call, imageStreamRequest(body, call.rawBody, traits), imageStreamAnswer)
      const created = await gateway.images.generate(call, toRequest(body, family))
      if (created.isErr()) return refuseCall(created.error, call, now())
      const { origin, path } = call.mount
      const urlOf = (id: string) => `${origin}${path}/v1/images/files/${id}`
      return {
        status: 200,
        headers: answerHeaders(call, now(), { 'x-trivium-provider': created.value.provider }),
        body: toWire(created.value, urlOf),
      }
    },

    async getImageFile({ params }) {
      const image = await gateway.images.find(params.image_id)
      if (!image) return failure(404, 'This image does not exist or has expired.', { code: 'image_not_found' })
      const seconds = Math.max(0, Math.floor((image.expiresAt.getTime() - now().getTime()) / 1000))
      return {
        status: 200,
        headers: { ...fileHeaders, 'content-type': image.contentType, 'cache-control': `private, max-age=${seconds}` },
        body: image.bytes,
      }
    },
  }
}

function toRequest(body: InferOutput<typeof imageRequestSchema>, family: ImageFamily): NewImages {
  const { prompt, model, n, size: named, response_format: format, stream: _, user, timeout, ...extra } = body
  // The models since `gpt-image-1` have only data, so clients expect it.
  const { delivery = family === 'gpt-image' ? 'inline' : 'stored' } = format ? { delivery: deliveries[format] } : {}
  const size = named === 'auto' ? undefined : named
  const [width = 0, height = 0] = size?.split('x').map(Number) ?? []
  return {
    prompt,
    count: n ?? 1,
    delivery,
    extra: named === 'auto' ? { ...extra, size: named } : extra,
    ...(model ? { model } : {}),
    ...(size ? { size: { width, height } } : {}),
    ...(user ? { user } : {}),
    ...(timeout ? { timeoutSeconds: timeout } : {}),
  }
}

const deliveries = { b64_json: 'inline', url: 'stored' } as const

function toWire(
  { createdAt, images, usage, report }: CreatedImages,
  urlOf: (id: string) => string,
): InferOutput<typeof imageAnswerSchema> {
  return {
    created: Math.floor(createdAt.getTime() / 1000),
    data: images.map((image) => imageToWire(image, urlOf)),
    ...(report && reportToWire(report)),
    ...(usage
      ? {
          usage: {
            input_tokens: usage.inputTokens,
            output_tokens: usage.outputTokens,
            total_tokens: usage.inputTokens + usage.outputTokens,
            ...(usage.inputDetails && { input_tokens_details: detailsToWire(usage.inputDetails) }),
          },
        }
      : {}),
  }
}

const reportToWire = ({ background, outputFormat, quality, size }: ImageReport) => ({
  ...(background !== undefined && { background }),
  ...(outputFormat !== undefined && { output_format: outputFormat }),
  ...(quality !== undefined && { quality }),
  ...(size !== undefined && { size }),
})

const detailsToWire = ({ textTokens, imageTokens }: NonNullable<ImageUsage['inputDetails']>) => ({
  text_tokens: textTokens,
  image_tokens: imageTokens,
})

function imageToWire({ id, bytes, revisedPrompt }: CreatedImage, urlOf: (id: string) => string) {
  const revised = revisedPrompt === undefined ? {} : { revised_prompt: revisedPrompt }
  return id === undefined ? { b64_json: toBase64(bytes), ...revised } : { url: urlOf(id), ...revised }
}

const CHUNK = 0x8000 - (0x8000 % 3)

function toBase64(bytes: Uint8Array): string {
  let text = ''
  for (let start = 0; start < bytes.length; start += CHUNK) {
    text += btoa(String.fromCharCode(...bytes.subarray(start, start + CHUNK)))
  }
  return text
}
