import * as v from 'valibot'

export const modelSchema = v.pipe(
  v.object({
    id: v.string(),
    object: v.literal('model'),
    /** Seconds since 1970, or 0 where the upstream does not report it. */
    created: v.number(),
    owned_by: v.string(),
  }),
  v.title('Model'),
)

export const modelListSchema = v.object({ object: v.literal('list'), data: v.array(modelSchema) })

/** The rest of the path, because ids may contain slashes, encoded or not. */
export const modelParamsSchema = v.object({ model: v.string() })
