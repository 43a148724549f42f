import { emulationContract, emulationSockets } from '@trivium/emulation-core/http'
import type { Client, SocketClient } from '@trivium/http-client'
import { useClient, useSockets } from './use-client.ts'

export type EmulationClient = Client<typeof emulationContract>
export type EmulationSockets = SocketClient<typeof emulationSockets>

export const useEmulation = (): EmulationClient => useClient('emulation', emulationContract)

/** The consoles. Each opening takes a ticket: `createConsoleTicketEmu3` and its like. */
export const useEmulationSockets = (): EmulationSockets => useSockets('emulation', emulationSockets)
