import type { EmulationOperation } from '../contract.ts'

/**
 * The operations that users may call only if a scope names them: they show the host itself, reserve ports for no
 * project, run virtual machines that exist on the host outside of all projects, or reach the disk images of all projects.
 */
const reserved: ReadonlySet<string> = new Set([
  'listInterfaces',
  'createUdpPort',
  'listEmu4Names',
  'createEmu4',
  'updateEmu4',
  'listDiskImages',
  'getDiskImage',
  'putDiskImage',
  'createDiskImage',
  'resizeDiskImage',
  'deleteDiskImage',
] satisfies readonly EmulationOperation[])

/** Whether users of the host may call an operation without a scope that names it. */
export const isOfferedToUsers = (operation: string): boolean => !reserved.has(operation)
