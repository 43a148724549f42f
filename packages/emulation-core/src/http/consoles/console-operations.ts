import type { Contract, Handlers } from '@trivium/http-contract'
import * as v from 'valibot'
import type { Emulation, Kind } from '../../index.ts'
import { failureResponses } from '../errors/failure.ts'
import { toFailure } from '../errors/to-failure.ts'
import { placeOf } from '../requests/places.ts'

const consoleTicket = v.object({ ticket: v.string(), expires_at: v.string() })

/** The operations of kinds with a console. */
export function consoleOperations(kind: Kind) {
  const { instance, inInstance, tag } = placeOf(kind)
  return {
    createConsoleTicket: {
      method: 'POST',
      path: `${instance}/console/ticket`,
      summary: 'Creates a ticket that opens the console over WebSocket, once and within 30 seconds',
      description:
        'For browsers, which cannot send credentials with a WebSocket. The ticket goes into the query: `…/console/ws?ticket=…`.',
      tags: [tag],
      params: inInstance,
      responses: { 201: consoleTicket, ...failureResponses },
    },
  } as const satisfies Contract
}

export function consoleHandlers({ consoles }: Emulation, kind: Kind): Handlers<ReturnType<typeof consoleOperations>> {
  return {
    createConsoleTicket: ({ params }) =>
      consoles
        .issueTicket({ ...params, kind })
        .match(
          ({ ticket, expiresAt }) => ({ status: 201, body: { ticket, expires_at: expiresAt.toISOString() } }) as const,
          toFailure,
        ),
  }
}
