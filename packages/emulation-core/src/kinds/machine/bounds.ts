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
import { isUnicastMac } from './mac-address.ts'
import { bootPriorities, closeActions, diskInterfaces, machineConsoleTypes, processPriorities } from './settings.ts'

/** The bounds of a machine's numbers. */
export const machineBounds = {
  adapters: [0, 275],
  cpuThrottlingPercent: [0, 800],
  memoryMegabytes: [1, 1_048_576],
  cpus: [1, 255],
  serialPorts: [1, 4],
  customAdapter: [0, 274],
} as const satisfies Readonly<Record<string, Bounds>>

/** The most characters of the note for users. */
export const MAX_USAGE = 16_384

const path = v.optional(lineWithin(MAX_PATH))
const diskInterface = v.optional(v.picklist(diskInterfaces))
const mac = v.pipe(v.string(), v.check(isUnicastMac, 'must be the MAC address of one adapter'))

const customAdapters = v.pipe(
  v.array(
    v.object({
      adapter: wholeWithin(...machineBounds.customAdapter),
      adapterType: v.optional(nonEmptyLineWithin(MAX_DEVICE)),
      macAddress: v.optional(mac),
      portName: v.optional(lineWithin(MAX_DEVICE)),
    }),
  ),
  v.maxLength(machineBounds.adapters[1], `must have at most ${machineBounds.adapters[1]} items`),
)

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
  tertiaryDisk: path,
  quaternaryDisk: path,
  primaryDiskInterface: diskInterface,
  secondaryDiskInterface: diskInterface,
  tertiaryDiskInterface: diskInterface,
  quaternaryDiskInterface: diskInterface,
  cdromImage: path,
  biosImage: path,
  uefi: v.optional(v.boolean()),
  bootPriority: v.optional(v.picklist(bootPriorities)),
  macAddress: v.optional(v.union([v.literal(''), mac])),
  cpus: v.optional(wholeWithin(...machineBounds.cpus)),
  maxCpus: v.optional(wholeWithin(...machineBounds.cpus)),
  serialPorts: v.optional(wholeWithin(...machineBounds.serialPorts)),
  consoleType: v.optional(v.picklist(machineConsoleTypes)),
  closeAction: v.optional(v.picklist(closeActions)),
  customAdapters: v.optional(customAdapters),
  usage: v.optional(v.pipe(v.string(), v.maxLength(MAX_USAGE, `must have at most ${MAX_USAGE} characters`))),
})
