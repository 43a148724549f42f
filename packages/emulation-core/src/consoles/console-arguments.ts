import * as v from 'valibot'
import type { ArgumentSchemas } from '../check-arguments.ts'
import { referenceSchema } from '../instances/instance-arguments.ts'
import type { Consoles } from './consoles.ts'

/** What the methods of {@link Consoles} take. A ticket of any form is refused as unknown. */
export const consoleArguments: ArgumentSchemas<Consoles> = {
  find: [referenceSchema],
  display: [referenceSchema],
  issueTicket: [referenceSchema],
  redeemTicket: [referenceSchema, v.string()],
}
