import * as v from 'valibot'
import { type Bounds, MAX_DEVICE, nonEmptyLineWithin, plainNameSchema, portSchema, wholeWithin } from '../../bounds.ts'

/** The bounds of a desktop VM's numbers. */
export const desktopVmBounds = { adapters: [0, 36] } as const satisfies Readonly<Record<string, Bounds>>

/** What a host can set of a desktop VM. */
export const desktopVmSettings = v.object({
  machineName: v.optional(plainNameSchema),
  console: v.optional(portSchema),
  remoteConsole: v.optional(v.boolean()),
  headless: v.optional(v.boolean()),
  adapters: v.optional(wholeWithin(...desktopVmBounds.adapters)),
  adapterType: v.optional(nonEmptyLineWithin(MAX_DEVICE)),
  useAnyAdapter: v.optional(v.boolean()),
  linkedClone: v.optional(v.boolean()),
})
