import { defineSockets } from '@trivium/http-contract'
import * as v from 'valibot'
import type { Kind } from '../index.ts'
import { placeOf } from './requests/places.ts'

const query = v.object({ ticket: v.optional(v.pipe(v.string(), v.maxLength(128))) })

function consoleSocket(kind: Kind) {
  const { instance, inInstance, tag } = placeOf(kind)
  return {
    path: `${instance}/console/ws`,
    summary: "The instance's console: what it shows as binary messages, what is typed as binary or text",
    description: 'Any number of viewers; each first sees the last 64 KiB. Credentials, or a ticket in the query.',
    tags: [tag],
    params: inInstance,
    query,
  } as const
}

/** Every WebSocket, with the paths that carry the version. */
export const emulationSockets = defineSockets({
  openConsoleEmu1: consoleSocket('machine'),
  openConsoleEmu2: consoleSocket('router'),
  openConsoleEmu3: consoleSocket('virtual-pc'),
  openConsoleEmu4: consoleSocket('desktop-vm'),
})

/** The name of a console's socket, as rules of access have it. */
export type EmulationSocket = keyof typeof emulationSockets
