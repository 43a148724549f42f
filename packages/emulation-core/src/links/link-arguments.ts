import * as v from 'valibot'
import type { ArgumentSchemas } from '../check-arguments.ts'
import { referenceSchema } from '../instances/instance-arguments.ts'
import { switchPortSettings } from '../kinds/ethernet-switch/bounds.ts'
import type { Connections } from './connections.ts'
import { connectionFields, nicNumberSchema, nicSchema, nioSchema } from './link-bounds.ts'
import type { Links } from './links.ts'

/** What the methods of {@link Connections} take. */
export const connectionArguments: ArgumentSchemas<Connections> = {
  connect: [referenceSchema, nicSchema, v.object({ nio: nioSchema, ...connectionFields })],
  connectSwitchPort: [
    referenceSchema,
    nicNumberSchema,
    v.object({ nio: nioSchema, settings: v.optional(switchPortSettings), ...connectionFields }),
  ],
  find: [referenceSchema, nicSchema],
  change: [referenceSchema, nicSchema, v.object(connectionFields)],
  disconnect: [referenceSchema, nicSchema],
}

/** What the methods of {@link Links} take. */
export const linkArguments: ArgumentSchemas<Links> = { list: [v.string()] }
