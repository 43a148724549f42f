import * as v from 'valibot'
import { isTooDeep, TOO_DEEP } from '../../nesting.ts'
import { maybe, wholeWithin } from '../fields.ts'

const LONGEST_PROMPT = 1000

/** Counts characters like JSON Schema's `maxLength`. Valibot's own counts some of them twice. */
const isShortEnough = (prompt: string): boolean =>
  prompt.length <= 2 * LONGEST_PROMPT && [...prompt].length <= LONGEST_PROMPT

/** An image request. Unknown fields are passed to the provider. */
export const imageRequestSchema = v.pipe(
  v.looseObject({
    prompt: v.pipe(
      v.string(),
      v.minLength(1, 'must not be empty'),
      v.check(isShortEnough, `must have at most ${LONGEST_PROMPT} characters`),
      v.metadata({ maxLength: LONGEST_PROMPT }),
    ),
    model: maybe(v.pipe(v.string(), v.minLength(1, 'must not be empty'), v.maxLength(512))),
    n: maybe(wholeWithin(1, 10)),
    size: maybe(v.picklist(['256x256', '512x512', '1024x1024'], "must be '256x256', '512x512' or '1024x1024'")),
    response_format: maybe(v.picklist(['url', 'b64_json'], "must be 'url' or 'b64_json'")),
    stream: maybe(v.pipe(v.boolean(), v.value(false, 'must be false, because images are not streamed'))),
    user: maybe(v.string()),
    timeout: maybe(wholeWithin(1, 3600)),
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
