import { defineSockets } from '@trivium/http-contract'
import * as v from 'valibot'
import type { Kind } from '../index.ts'
import { placeOf } from './requests/places.ts'

const query = v.object({ ticket: v.optional(v.pipe(v.string(), v.maxLength(128))) })

function consoleSocket(kind: Kind) {
  const { instance, inInstance, tag } = placeOf(kind)
  return {
    path: `${instance}/console/ws`,
    summary: 'Opens the console of the instance over WebSocket',
    description:
      'Output arrives as binary messages. Input is sent as binary or text messages. A new viewer first gets the earlier output, by default the last 64 KiB. Requires credentials, or a ticket in the query.',
    tags: [tag],
    params: inInstance,
    query,
  } as const
}

const { instance, inInstance, tag } = placeOf('machine')

/** Every WebSocket, with paths that have the version `/v1`. */
export const emulationSockets = defineSockets({
  openConsoleEmu1: consoleSocket('machine'),
  openDisplayEmu1: {
    path: `${instance}/vnc/ws`,
    summary: 'Opens the display of the machine over WebSocket, as noVNC does',
    description:
      'Binary messages carry the bytes of VNC (RFB) in both directions, for instances whose `console_type` is `vnc`. A client that names a subprotocol names `binary`. Requires credentials, or a ticket of the console in the query.',
    tags: [tag],
    params: inInstance,
    query,
  },
  openConsoleEmu2: consoleSocket('router'),
  openConsoleEmu3: consoleSocket('virtual-pc'),
  openConsoleEmu4: consoleSocket('desktop-vm'),
  openConsoleContainer: consoleSocket('container'),
})

/** The name of a console's socket, as access rules use it. */
export type EmulationSocket = keyof typeof emulationSockets
