import * as v from 'valibot'
import {
  type Bounds,
  lineWithin,
  MAX_ARGUMENTS,
  MAX_DEVICE,
  MAX_PATH,
  nonEmptyLineWithin,
  portSchema,
  wholeWithin,
} from '../../bounds.ts'
import { processPriorities } from './settings.ts'

/** The bounds of a machine's numbers. */
export const machineBounds = {
  adapters: [0, 32],
  cpuThrottlingPercent: [0, 800],
  memoryMegabytes: [1, 1_048_576],
} as const satisfies Readonly<Record<string, Bounds>>

const path = v.optional(lineWithin(MAX_PATH))

/** What a host can set of a machine. */
export const machineSettings = v.object({
  program: v.optional(nonEmptyLineWithin(MAX_PATH)),
  console: v.optional(portSchema),
  monitor: v.optional(portSchema),
  memoryMegabytes: v.optional(wholeWithin(...machineBounds.memoryMegabytes)),
  adapters: v.optional(wholeWithin(...machineBounds.adapters)),
  adapterType: v.optional(nonEmptyLineWithin(MAX_DEVICE)),
  cpuThrottlingPercent: v.optional(wholeWithin(...machineBounds.cpuThrottlingPercent)),
  priority: v.optional(v.picklist(processPriorities)),
  primaryDisk: path,
  secondaryDisk: path,
  initialRamDisk: path,
  kernelImage: path,
  kernelCommandLine: v.optional(lineWithin(MAX_ARGUMENTS)),
  options: v.optional(lineWithin(MAX_ARGUMENTS)),
  legacyNetworking: v.optional(v.boolean()),
})
