import type { EmulationOperation } from '../contract.ts'

/**
 * The operations that users may call only if a scope names them: they show the host itself, reserve ports for no
 * project, or run virtual machines that exist on the host outside of all projects.
 */
const reserved: ReadonlySet<string> = new Set([
  'listInterfaces',
  'createUdpPort',
  'listEmu4Names',
  'createEmu4',
  'updateEmu4',
] satisfies readonly EmulationOperation[])

/** Whether users of the host may call an operation without a scope that names it. */
export const isOfferedToUsers = (operation: string): boolean => !reserved.has(operation)
