import * as v from 'valibot'
import type { ArgumentSchemas } from '../check-arguments.ts'
import { modelSchema } from './model-bounds.ts'
import type { Models } from './models.ts'

const kind = v.picklist(['chat', 'image', 'embedding', 'completion', 'moderation', 'audio', 'rerank', 'realtime'])

/** What the methods of {@link Models} take. An id of any length is looked up. */
export const modelArguments: ArgumentSchemas<Models> = {
  list: [v.optional(kind)],
  find: [v.string()],
  resolve: [modelSchema, kind, v.optional(v.boolean())],
}
