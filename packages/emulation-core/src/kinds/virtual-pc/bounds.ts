import * as v from 'valibot'
import { portSchema } from '../../bounds.ts'

/** What a host can set of a virtual PC. */
export const virtualPcSettings = v.object({ console: v.optional(portSchema) })
