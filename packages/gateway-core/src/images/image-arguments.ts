import * as v from 'valibot'
import { wholeWithin } from '../bounds.ts'
import { callSchema } from '../caller-argument.ts'
import type { ArgumentSchemas } from '../check-arguments.ts'
import { modelSchema, timeoutSchema } from '../models/model-bounds.ts'
import { imageCountSchema, LONGEST_PROMPT, promptOf } from './image-bounds.ts'
import type { Images } from './images.ts'

const pixels = wholeWithin(1, 65_535)

const request = v.object({
  prompt: promptOf(LONGEST_PROMPT),
  model: v.optional(modelSchema),
  count: imageCountSchema,
  size: v.optional(v.object({ width: pixels, height: pixels })),
  user: v.optional(v.string()),
  extra: v.record(v.string(), v.unknown()),
  timeoutSeconds: v.optional(timeoutSchema),
  delivery: v.picklist(['stored', 'inline']),
})

/** What the methods of {@link Images} take. An id of any form is looked up. */
export const imageArguments: ArgumentSchemas<Images> = {
  traits: [v.optional(modelSchema)],
  generate: [callSchema, request],
  find: [v.string()],
}
