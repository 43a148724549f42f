import type { EmulationClient, EmulationSockets } from '../../../hooks/use-emulation.ts'
import type { Kind, TerminalKind } from './kinds.ts'

/** The operations of every kind, under one name. */
export interface Operations {
  readonly remove: EmulationClient['deleteEmu5']
  readonly status: EmulationClient['getStatusEmu5']
  readonly updateNio: EmulationClient['updateNioEmu5']
  readonly deleteNio: EmulationClient['deleteNioEmu5']
  readonly startCapture: EmulationClient['startCaptureEmu5']
  readonly stopCapture: EmulationClient['stopCaptureEmu5']
}

/** The further operations of kinds that can be started and stopped. */
export interface MachineOperations extends Operations {
  readonly createNio: EmulationClient['createNioEmu3']
  readonly start: EmulationClient['startEmu3']
  readonly stop: EmulationClient['stopEmu3']
  readonly reload: EmulationClient['reloadEmu3']
}

/** The further operation of kinds that have consoles. */
export interface TerminalOperations extends MachineOperations {
  readonly ticket: EmulationClient['createConsoleTicketEmu3']
}

const switchOperations = (client: EmulationClient): Operations => ({
  remove: client.deleteEmu5,
  status: client.getStatusEmu5,
  updateNio: client.updateNioEmu5,
  deleteNio: client.deleteNioEmu5,
  startCapture: client.startCaptureEmu5,
  stopCapture: client.stopCaptureEmu5,
})

const virtualPcOperations = (client: EmulationClient): TerminalOperations => ({
  remove: client.deleteEmu3,
  status: client.getStatusEmu3,
  updateNio: client.updateNioEmu3,
  deleteNio: client.deleteNioEmu3,
  startCapture: client.startCaptureEmu3,
  stopCapture: client.stopCaptureEmu3,
  createNio: client.createNioEmu3,
  start: client.startEmu3,
  stop: client.stopEmu3,
  reload: client.reloadEmu3,
  ticket: client.createConsoleTicketEmu3,
})

const routerOperations = (client: EmulationClient): TerminalOperations => ({
  remove: client.deleteEmu2,
  status: client.getStatusEmu2,
  updateNio: client.updateNioEmu2,
  deleteNio: client.deleteNioEmu2,
  startCapture: client.startCaptureEmu2,
  stopCapture: client.stopCaptureEmu2,
  createNio: client.createNioEmu2,
  start: client.startEmu2,
  stop: client.stopEmu2,
  reload: client.reloadEmu2,
  ticket: client.createConsoleTicketEmu2,
})

const machineOperations = (client: EmulationClient): TerminalOperations => ({
  remove: client.deleteEmu1,
  status: client.getStatusEmu1,
  updateNio: client.updateNioEmu1,
  deleteNio: client.deleteNioEmu1,
  startCapture: client.startCaptureEmu1,
  stopCapture: client.stopCaptureEmu1,
  createNio: client.createNioEmu1,
  start: client.startEmu1,
  stop: client.stopEmu1,
  reload: client.reloadEmu1,
  ticket: client.createConsoleTicketEmu1,
})

const desktopVmOperations = (client: EmulationClient): TerminalOperations => ({
  remove: client.deleteEmu4,
  status: client.getStatusEmu4,
  updateNio: client.updateNioEmu4,
  deleteNio: client.deleteNioEmu4,
  startCapture: client.startCaptureEmu4,
  stopCapture: client.stopCaptureEmu4,
  createNio: client.createNioEmu4,
  start: client.startEmu4,
  stop: client.stopEmu4,
  reload: client.reloadEmu4,
  ticket: client.createConsoleTicketEmu4,
})

const natOperations = (client: EmulationClient): MachineOperations => ({
  remove: client.deleteNat,
  status: client.getStatusNat,
  updateNio: client.updateNioNat,
  deleteNio: client.deleteNioNat,
  startCapture: client.startCaptureNat,
  stopCapture: client.stopCaptureNat,
  createNio: client.createNioNat,
  start: client.startNat,
  stop: client.stopNat,
  reload: client.reloadNat,
})

const cloudOperations = (client: EmulationClient): MachineOperations => ({
  remove: client.deleteCloud,
  status: client.getStatusCloud,
  updateNio: client.updateNioCloud,
  deleteNio: client.deleteNioCloud,
  startCapture: client.startCaptureCloud,
  stopCapture: client.stopCaptureCloud,
  createNio: client.createNioCloud,
  start: client.startCloud,
  stop: client.stopCloud,
  reload: client.reloadCloud,
})

const containerOperations = (client: EmulationClient): TerminalOperations => ({
  remove: client.deleteContainer,
  status: client.getStatusContainer,
  updateNio: client.updateNioContainer,
  deleteNio: client.deleteNioContainer,
  startCapture: client.startCaptureContainer,
  stopCapture: client.stopCaptureContainer,
  createNio: client.createNioContainer,
  start: client.startContainer,
  stop: client.stopContainer,
  reload: client.reloadContainer,
  ticket: client.createConsoleTicketContainer,
})

interface Suspension {
  readonly suspend: EmulationClient['suspendEmu1']
  readonly resume: EmulationClient['resumeEmu1']
}

/** A kind that can be started and stopped. */
export type MachineKind = Exclude<Kind, 'emu5'>

/** Returns the operations of a kind; `undefined` for a switch. */
export function machineOperationsOf(client: EmulationClient, kind: TerminalKind): TerminalOperations
export function machineOperationsOf(client: EmulationClient, kind: MachineKind): MachineOperations
export function machineOperationsOf(client: EmulationClient, kind: Kind): MachineOperations | undefined
export function machineOperationsOf(client: EmulationClient, kind: Kind): MachineOperations | undefined {
  switch (kind) {
    case 'emu1':
      return machineOperations(client)
    case 'emu2':
      return routerOperations(client)
    case 'emu3':
      return virtualPcOperations(client)
    case 'emu4':
      return desktopVmOperations(client)
    case 'nat':
      return natOperations(client)
    case 'cloud':
      return cloudOperations(client)
    case 'container':
      return containerOperations(client)
    case 'emu5':
      return undefined
  }
}

/** Returns the operations that every kind has. */
export const operationsOf = (client: EmulationClient, kind: Kind): Operations =>
  machineOperationsOf(client, kind) ?? switchOperations(client)

/** Returns the operations that suspend and resume; `undefined` for kinds that cannot be suspended. */
export function suspensionOf(client: EmulationClient, kind: Kind): Suspension | undefined {
  if (kind === 'emu1') return { suspend: client.suspendEmu1, resume: client.resumeEmu1 }
  if (kind === 'emu4') return { suspend: client.suspendEmu4, resume: client.resumeEmu4 }
  if (kind === 'container') return { suspend: client.suspendContainer, resume: client.resumeContainer }
  return undefined
}

/** Returns the operation that reads what an instance uses; `undefined` for kinds without processes of their own. */
export function resourceReaderOf(client: EmulationClient, kind: Kind): EmulationClient['getResourcesEmu3'] | undefined {
  const readers = {
    emu1: client.getResourcesEmu1,
    emu2: client.getResourcesEmu2,
    emu3: client.getResourcesEmu3,
    emu4: client.getResourcesEmu4,
    emu5: undefined,
    nat: client.getResourcesNat,
    cloud: undefined,
    container: client.getResourcesContainer,
  }
  return readers[kind]
}

/** Returns the operation that opens the console of a kind. */
export function consoleOpenerOf(sockets: EmulationSockets, kind: TerminalKind): EmulationSockets['openConsoleEmu3'] {
  const openers = {
    emu1: sockets.openConsoleEmu1,
    emu2: sockets.openConsoleEmu2,
    emu3: sockets.openConsoleEmu3,
    emu4: sockets.openConsoleEmu4,
    container: sockets.openConsoleContainer,
  }
  return openers[kind]
}
