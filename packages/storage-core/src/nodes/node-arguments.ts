import * as v from 'valibot'
import { identifier } from '../bounds.ts'
import type { ArgumentSchemas } from '../check-arguments.ts'
import type { Nodes } from './nodes.ts'

/** What the methods of {@link Nodes} take. */
export const nodeArguments: ArgumentSchemas<Nodes> = {
  find: [identifier],
  list: [],
  splitLoads: [],
  splitLoad: [identifier],
  setSplitLoadMaximum: [identifier, v.union([v.number(), v.bigint()])],
}
