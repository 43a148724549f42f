import { callSchema } from '../caller-argument.ts'
import type { ArgumentSchemas } from '../check-arguments.ts'
import { modelSchema } from '../models/model-bounds.ts'
import type { Realtime } from './realtime.ts'

/** What the methods of {@link Realtime} take. */
export const realtimeArguments: ArgumentSchemas<Pick<Realtime, 'open' | 'check'>> = {
  open: [callSchema, modelSchema],
  check: [modelSchema],
}
