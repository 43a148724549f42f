import * as v from 'valibot'
import { wholeWithin, within } from '../../bounds.ts'
import { imageCountSchema, LONGEST_PROMPT, promptOf } from '../../images/image-bounds.ts'
import type { ImageFamily } from '../../images/image-family.ts'
import { modelSchema, timeoutSchema } from '../../models/model-bounds.ts'
import { isTooDeep, TOO_DEEP } from '../../nesting.ts'
import { maybe, type SchemaOf } from '../fields.ts'

const imageRequest = v.looseObject({
  prompt: promptOf(LONGEST_PROMPT),
  model: maybe(modelSchema),
  n: maybe(imageCountSchema),
  size: maybe(v.pipe(v.string(), v.description("Such as '1024x1024', or 'auto'. The model decides which it takes."))),
  response_format: maybe(v.picklist(['url', 'b64_json'], "must be 'url' or 'b64_json'")),
  stream: maybe(v.boolean()),
  user: maybe(v.string()),
  timeout: maybe(timeoutSchema),
})

export interface ImageRequestSchema extends SchemaOf<typeof imageRequest> {}

/** An image request within the bounds of any model. Unknown fields are passed to the provider. */
export const imageRequestSchema: ImageRequestSchema = v.pipe(
  imageRequest,
  v.check((body) => !isTooDeep(body), TOO_DEEP),
)

/** One of some texts. The message lists them. */
function oneOf<const Values extends readonly [string, ...string[]]>(...values: Values) {
  const quoted = values.map((value) => `'${value}'`)
  const last = quoted.pop()
  return maybe(v.picklist(values, quoted.length === 0 ? `must be ${last}` : `must be ${quoted.join(', ')} or ${last}`))
}

const notStreamed = maybe(v.pipe(v.boolean(), v.value(false, 'must be false, because images are not streamed')))

/** Of requests for a stream, where an upstream cannot stream. */
export const wholeRequestSchema = v.looseObject({ stream: notStreamed })

/** Of requests for a stream, whose images are in its events. */
export const streamedRequestSchema = v.looseObject({
  response_format: maybe(v.picklist(['b64_json'], "must be 'b64_json' for a stream")),
})

const MOST_PIXELS = 4096

const isSize = (size: string): boolean =>
  size === 'auto' ||
  (/^[1-9]\d{0,3}x[1-9]\d{0,3}$/.test(size) && size.split('x').every((n) => Number(n) <= MOST_PIXELS))

/** The bounds of each family, for requests that match {@link imageRequestSchema}. */
export const imageRequestSchemas: Readonly<Record<ImageFamily, v.GenericSchema>> = {
  'gpt-image': v.looseObject({
    size: maybe(v.pipe(v.string(), v.check(isSize, "must be 'auto', or such as '1536x1024' with at most 4096 each"))),
    quality: oneOf('auto', 'low', 'medium', 'high', 'xhigh', 'max', 'standard', 'hd'),
    background: oneOf('transparent', 'opaque', 'auto'),
    output_format: oneOf('png', 'jpeg', 'webp'),
    output_compression: maybe(within(0, 100)),
    moderation: oneOf('low', 'auto'),
    partial_images: maybe(wholeWithin(0, 3)),
    input_fidelity: oneOf('high', 'low'),
  }),
  'dall-e-3': v.looseObject({
    prompt: promptOf(4000),
    size: oneOf('1024x1024', '1792x1024', '1024x1792', 'auto'),
    quality: oneOf('auto', 'standard', 'hd'),
    style: oneOf('vivid', 'natural'),
    stream: notStreamed,
  }),
  other: v.looseObject({
    prompt: promptOf(1000),
    size: oneOf('256x256', '512x512', '1024x1024'),
    stream: notStreamed,
  }),
}

/** An event of a stream of images: a partial image, or a complete one with the usage. */
export const imageEventSchema = v.looseObject({
  type: v.string(),
  b64_json: v.exactOptional(v.string()),
  partial_image_index: v.exactOptional(v.number()),
})

const imageAnswer = v.object({
  /** Seconds since 1970. */
  created: v.number(),
  data: v.array(
    v.object({
      url: v.exactOptional(v.string()),
      b64_json: v.exactOptional(v.string()),
      revised_prompt: v.exactOptional(v.string()),
    }),
  ),
  background: v.exactOptional(v.string()),
  output_format: v.exactOptional(v.string()),
  quality: v.exactOptional(v.string()),
  size: v.exactOptional(v.string()),
  usage: v.exactOptional(
    v.object({
      input_tokens: v.number(),
      output_tokens: v.number(),
      total_tokens: v.number(),
      input_tokens_details: v.exactOptional(v.object({ text_tokens: v.number(), image_tokens: v.number() })),
    }),
  ),
})

export interface ImageAnswerSchema extends SchemaOf<typeof imageAnswer> {}

export const imageAnswerSchema: ImageAnswerSchema = imageAnswer
