import * as v from 'valibot'
import { type Bounds, MAX_PATH, nonEmptyLineWithin, portSchema, wholeWithin } from '../../bounds.ts'

/** The bounds of a router's numbers. */
export const routerBounds = {
  ethernetAdapters: [0, 16],
  serialAdapters: [0, 16],
  memoryMegabytes: [1, 1_048_576],
  nvramKilobytes: [1, 1_048_576],
} as const satisfies Readonly<Record<string, Bounds>>

/** What a host can set of a router. */
export const routerSettings = v.object({
  image: v.optional(nonEmptyLineWithin(MAX_PATH)),
  console: v.optional(portSchema),
  ethernetAdapters: v.optional(wholeWithin(...routerBounds.ethernetAdapters)),
  serialAdapters: v.optional(wholeWithin(...routerBounds.serialAdapters)),
  memoryMegabytes: v.optional(wholeWithin(...routerBounds.memoryMegabytes)),
  nvramKilobytes: v.optional(wholeWithin(...routerBounds.nvramKilobytes)),
  keepalives: v.optional(v.boolean()),
})
