import { emulationContract, emulationSockets } from '@trivium/emulation-core/http'
import type { Client, SocketClient } from '@trivium/http-client'
import { useClient, useSockets } from './use-client.ts'

export type EmulationClient = Client<typeof emulationContract>
export type EmulationSockets = SocketClient<typeof emulationSockets>

/** Returns the client of the emulation service. */
export const useEmulation = (): EmulationClient => useClient('emulation', emulationContract)

/** Returns the socket client of the consoles. Each connection needs a ticket, as from `createConsoleTicketEmu3`. */
export const useEmulationSockets = (): EmulationSockets => useSockets('emulation', emulationSockets)
