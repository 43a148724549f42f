import * as v from 'valibot'
import type { SchemaOf } from '../fields.ts'

const model = v.object({
  id: v.string(),
  object: v.literal('model'),
  /** Seconds since 1970, or 0 where the upstream does not report it. */
  created: v.number(),
  owned_by: v.string(),
  context_length: v.exactOptional(v.number()),
  max_output_tokens: v.exactOptional(v.number()),
  modalities: v.exactOptional(
    v.object({ input: v.exactOptional(v.array(v.string())), output: v.exactOptional(v.array(v.string())) }),
  ),
  /** US dollars per million tokens. */
  pricing: v.exactOptional(
    v.object({
      input: v.exactOptional(v.number()),
      output: v.exactOptional(v.number()),
      cache_read: v.exactOptional(v.number()),
      cache_write: v.exactOptional(v.number()),
    }),
  ),
  /** The protocols of conversations that the provider speaks itself. Others are translated. */
  dialects: v.exactOptional(v.array(v.picklist(['chat', 'responses', 'messages']))),
})

export interface ModelSchema extends SchemaOf<typeof model> {}

export const modelSchema: ModelSchema = v.pipe(model, v.title('Model'))

const anthropicModel = v.object({
  type: v.literal('model'),
  id: v.string(),
  display_name: v.string(),
  created_at: v.string(),
  max_input_tokens: v.nullable(v.number()),
  max_tokens: v.nullable(v.number()),
  lifecycle: v.literal('active'),
  /** Not known to the gateway, as is each of the others that are `null`. */
  capabilities: v.null(),
  line: v.null(),
  deprecated_at: v.null(),
  retires_at: v.null(),
})

export interface AnthropicModelSchema extends SchemaOf<typeof anthropicModel> {}

/** A model in the form of Anthropic's interface, for requests with `anthropic-version`. */
const anthropicModelSchema: AnthropicModelSchema = v.pipe(anthropicModel, v.title('AnthropicModel'))

export const modelAnswerSchema = v.union([modelSchema, anthropicModelSchema])

const modelList = v.object({ object: v.literal('list'), data: v.array(modelSchema) })

export interface ModelListSchema extends SchemaOf<typeof modelList> {}

export const modelListSchema: ModelListSchema = modelList

export const modelListAnswerSchema = v.union([
  modelListSchema,
  v.object({
    data: v.array(anthropicModelSchema),
    has_more: v.literal(false),
    first_id: v.nullable(v.string()),
    last_id: v.nullable(v.string()),
  }),
])

/** The rest of the path, because ids may contain slashes, encoded or not. */
export const modelParamsSchema = v.object({ model: v.string() })
