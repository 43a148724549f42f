import * as v from 'valibot'
import { lineWithin, within } from '../bounds.ts'
import type { ArgumentSchemas } from '../check-arguments.ts'
import { referenceSchema } from '../instances/instance-arguments.ts'
import { MAX_COMMAND, MAX_PROMPT, timeoutSecondsBounds } from './command-request.ts'
import type { Consoles } from './consoles.ts'

const request = v.object({
  command: lineWithin(MAX_COMMAND),
  prompt: v.optional(
    v.pipe(
      lineWithin(MAX_PROMPT),
      v.check((text) => text.trim() !== '', 'must not be blank'),
    ),
  ),
  timeoutSeconds: v.optional(within(...timeoutSecondsBounds)),
  interrupt: v.optional(v.boolean()),
  signal: v.optional(v.instance(AbortSignal)),
})

/** What the methods of {@link Consoles} take. A ticket of any form is refused as unknown. */
export const consoleArguments: ArgumentSchemas<Consoles> = {
  find: [referenceSchema],
  display: [referenceSchema],
  run: [referenceSchema, request],
  issueTicket: [referenceSchema],
  redeemTicket: [referenceSchema, v.string()],
}
