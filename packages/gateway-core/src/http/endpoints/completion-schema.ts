import * as v from 'valibot'
import { wholeWithin, within } from '../../bounds.ts'
import { choicesSchema, numberSchemas, outputTokensSchema } from '../../chat/chat-bounds.ts'
import { modelSchema, timeoutSchema } from '../../models/model-bounds.ts'
import { isTooDeep, TOO_DEEP } from '../../nesting.ts'
import { maybe, recordOf, type SchemaOf } from '../fields.ts'
import { inputSchema } from './input-schema.ts'

const completionRequest = v.looseObject({
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
})

export interface CompletionRequestSchema extends SchemaOf<typeof completionRequest> {}

/** A request for a text completion. Unknown fields are passed to the upstream. */
export const completionRequestSchema: CompletionRequestSchema = v.pipe(
  completionRequest,
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

const textCompletion = v.looseObject({
  id: v.string(),
  object: v.literal('text_completion'),
  created: v.number(),
  model: v.string(),
  choices: v.array(choice),
  usage: v.exactOptional(v.nullable(usage)),
})

export interface TextCompletionSchema extends SchemaOf<typeof textCompletion> {}

export const textCompletionSchema: TextCompletionSchema = v.pipe(textCompletion, v.title('TextCompletion'))
export const completionChunkSchema: TextCompletionSchema = v.pipe(textCompletion, v.title('TextCompletionChunk'))
