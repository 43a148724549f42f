import * as v from 'valibot'

const usage = v.looseObject({
  input_tokens: v.number(),
  output_tokens: v.number(),
  total_tokens: v.number(),
})

const item = v.looseObject({ type: v.string() })

/** A response. Upstreams may add fields. */
export const responseAnswerSchema = v.pipe(
  v.looseObject({
    id: v.string(),
    object: v.literal('response'),
    created_at: v.number(),
    status: v.exactOptional(v.string()),
    model: v.string(),
    output: v.array(item),
    error: v.exactOptional(v.nullable(v.looseObject({ code: v.nullable(v.string()), message: v.string() }))),
    incomplete_details: v.exactOptional(v.nullable(v.looseObject({ reason: v.exactOptional(v.string()) }))),
    usage: v.exactOptional(v.nullable(usage)),
  }),
  v.title('Response'),
)

/** An event of a streamed response. `type` names it and its further fields. */
export const responseEventSchema = v.pipe(
  v.looseObject({ type: v.string(), sequence_number: v.number() }),
  v.title('ResponseEvent'),
)
