import * as v from 'valibot'
import { imageCountSchema, promptSchema } from '../../images/image-bounds.ts'
import { modelSchema, timeoutSchema } from '../../models/model-bounds.ts'
import { isTooDeep, TOO_DEEP } from '../../nesting.ts'
import { maybe } from '../fields.ts'

/** An image request. Unknown fields are passed to the provider. */
export const imageRequestSchema = v.pipe(
  v.looseObject({
    prompt: promptSchema,
    model: maybe(modelSchema),
    n: maybe(imageCountSchema),
    size: maybe(v.picklist(['256x256', '512x512', '1024x1024'], "must be '256x256', '512x512' or '1024x1024'")),
    response_format: maybe(v.picklist(['url', 'b64_json'], "must be 'url' or 'b64_json'")),
    stream: maybe(v.pipe(v.boolean(), v.value(false, 'must be false, because images are not streamed'))),
    user: maybe(v.string()),
    timeout: maybe(timeoutSchema),
  }),
  v.check((body) => !isTooDeep(body), TOO_DEEP),
)

export const imageAnswerSchema = v.object({
  /** Seconds since 1970. */
  created: v.number(),
  data: v.array(
    v.object({
      url: v.exactOptional(v.string()),
      b64_json: v.exactOptional(v.string()),
      revised_prompt: v.exactOptional(v.string()),
    }),
  ),
  usage: v.exactOptional(v.object({ input_tokens: v.number(), output_tokens: v.number(), total_tokens: v.number() })),
})
