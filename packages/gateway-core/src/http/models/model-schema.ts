import * as v from 'valibot'

export const modelSchema = v.pipe(
  v.object({
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
  }),
  v.title('Model'),
)

/** A model in the form of Anthropic's interface, for requests with `anthropic-version`. */
const anthropicModelSchema = v.pipe(
  v.object({
    type: v.literal('model'),
    id: v.string(),
    display_name: v.string(),
    created_at: v.string(),
    max_input_tokens: v.exactOptional(v.number()),
    max_tokens: v.exactOptional(v.number()),
  }),
  v.title('AnthropicModel'),
)

export const modelAnswerSchema = v.union([modelSchema, anthropicModelSchema])

export const modelListSchema = v.object({ object: v.literal('list'), data: v.array(modelSchema) })

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
