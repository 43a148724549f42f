import * as v from 'valibot'
import { wholeWithin, within } from '../../bounds.ts'
import { choicesSchema, numberSchemas, outputTokensSchema } from '../../chat/chat-bounds.ts'
import { modelSchema, timeoutSchema } from '../../models/model-bounds.ts'
import { isTooDeep, TOO_DEEP } from '../../nesting.ts'
import { maybe, recordOf } from '../fields.ts'
import { inputSchema } from './input-schema.ts'

/** A request for a text completion. Unknown fields are passed to the upstream. */
export const completionRequestSchema = v.pipe(
  v.looseObject({
    model: modelSchema,
    prompt: maybe(inputSchema),
    stream: maybe(v.boolean()),
    stream_options: maybe(v.looseObject({ include_usage: maybe(v.boolean()) })),
    timeout: maybe(timeoutSchema),
    suffix: maybe(v.string()),
    echo: maybe(v.boolean()),
    best_of: maybe(wholeWithin(1, 128)),
    n: maybe(choicesSchema),
    logprobs: maybe(v.union([v.number(), v.boolean()])),
    max_tokens: maybe(outputTokensSchema),
    temperature: maybe(numberSchemas.temperature),
    top_p: maybe(numberSchemas.top_p),
    presence_penalty: maybe(numberSchemas.presence_penalty),
    frequency_penalty: maybe(numberSchemas.frequency_penalty),
    logit_bias: maybe(recordOf(within(-100, 100), 10_000)),
    seed: maybe(numberSchemas.seed),
    user: maybe(v.string()),
  }),
  v.check((body) => !isTooDeep(body), TOO_DEEP),
  v.forward(
    v.check(
      ({ stream, stream_options }) => !stream_options || stream === true,
      "is only allowed when 'stream' is true",
    ),
    ['stream_options'],
  ),
)

const choice = v.looseObject({ index: v.number(), text: v.string(), finish_reason: v.nullable(v.string()) })

const usage = v.looseObject({ prompt_tokens: v.number(), completion_tokens: v.number(), total_tokens: v.number() })

const members = {
  id: v.string(),
  object: v.literal('text_completion'),
  created: v.number(),
  model: v.string(),
  choices: v.array(choice),
  usage: v.exactOptional(v.nullable(usage)),
}

export const textCompletionSchema = v.pipe(v.looseObject(members), v.title('TextCompletion'))
export const completionChunkSchema = v.pipe(v.looseObject(members), v.title('TextCompletionChunk'))
