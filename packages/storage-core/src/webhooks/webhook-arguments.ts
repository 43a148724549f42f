import * as v from 'valibot'
import { identifier, ordinal, wholeWithin } from '../bounds.ts'
import type { ArgumentSchemas } from '../check-arguments.ts'
import { pageSchema, querySchema } from '../query/page-arguments.ts'
import { webhookKinds } from './webhook.ts'
import type { Webhooks } from './webhooks.ts'

export const MAXIMUM_NAME_LENGTH = 255
export const MAXIMUM_VOLUMES = 1000
export const MAXIMUM_HOLDOFF_SECONDS = 86_400

const settings = {
  name: v.optional(v.pipe(v.string(), v.maxLength(MAXIMUM_NAME_LENGTH, 'must have at most 255 characters'))),
  kinds: v.optional(v.pipe(v.array(v.picklist(webhookKinds)), v.maxLength(webhookKinds.length, 'must be different'))),
  volumes: v.optional(v.pipe(v.array(identifier), v.maxLength(MAXIMUM_VOLUMES, 'must be at most 1000'))),
  enabled: v.optional(v.boolean()),
  holdoffSeconds: v.optional(wholeWithin(0, MAXIMUM_HOLDOFF_SECONDS)),
}

/** What the methods of {@link Webhooks} take. URLs and secrets that cannot be used are errors of the operations. */
export const webhookArguments: ArgumentSchemas<Webhooks> = {
  create: [v.object({ url: v.string(), secret: v.optional(v.string()), ...settings })],
  find: [identifier],
  list: [pageSchema],
  count: [querySchema],
  change: [identifier, v.object({ url: v.optional(v.string()), ...settings })],
  delete: [identifier],
  test: [identifier],
  listDeliveries: [identifier, pageSchema],
  countDeliveries: [identifier, querySchema],
  retry: [identifier, ordinal],
}
