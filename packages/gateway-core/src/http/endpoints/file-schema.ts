import * as v from 'valibot'
import { modelSchema, timeoutSchema } from '../../models/model-bounds.ts'
import { maybe, type SchemaOf } from '../fields.ts'

/** Ids become a part of the upstream's path, so that no other path can be named. */
const id = v.pipe(v.string(), v.regex(/^[A-Za-z0-9][\w.:-]{0,255}$/, 'must be an id'))

export const fileIdSchema = v.object({ file_id: id })
export const batchIdSchema = v.object({ batch_id: id })

const endpointQuery = v.objectWithRest(
  { model: v.exactOptional(modelSchema) },
  v.union([v.string(), v.array(v.string())]),
)

export interface EndpointQuerySchema extends SchemaOf<typeof endpointQuery> {}

/** The query is passed to the upstream, without `model`, which names the provider. */
export const endpointQuerySchema: EndpointQuerySchema = v.pipe(
  endpointQuery,
  v.maxEntries(20, 'must have at most 20 parameters'),
)

/** The id of the provider. */
export const providerHeadersSchema = v.object({
  'x-trivium-provider': v.exactOptional(v.pipe(v.string(), v.maxLength(256, 'must have at most 256 characters'))),
})

/** A request for a batch. Unknown fields are passed to the upstream, `model` names the provider. */
export const batchRequestSchema = v.looseObject({
  input_file_id: v.string(),
  endpoint: v.string(),
  completion_window: v.string(),
  model: maybe(modelSchema),
  timeout: maybe(timeoutSchema),
})

const storedObject = v.looseObject({ id: v.string(), object: v.string() })

export interface StoredObjectSchema extends SchemaOf<typeof storedObject> {}

export const storedObjectSchema: StoredObjectSchema = v.pipe(storedObject, v.title('StoredObject'))

export const storedObjectListSchema = v.looseObject({ object: v.literal('list'), data: v.array(storedObjectSchema) })
