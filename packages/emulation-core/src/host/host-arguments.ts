import * as v from 'valibot'
import type { ArgumentSchemas } from '../check-arguments.ts'
import { kindSchema } from '../instances/instance-arguments.ts'
import type { Host } from './host.ts'

/** What the methods of {@link Host} take. */
export const hostArguments: ArgumentSchemas<Host> = {
  reserveUdpPort: [v.optional(v.string())],
  interfaces: [],
  usage: [],
  programs: [kindSchema],
  machineNames: [kindSchema],
  capabilities: [kindSchema],
}
