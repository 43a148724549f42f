import { defineContract, type ImplementOptions, implement, type Route } from '@trivium/http-contract'
import { type Failure, failure, failureResponses } from '../errors/failure.ts'
import { gatewaySockets } from './socket-contract.ts'

/** Apart from the contract of the gateway, whose clients could only fail here. */
const upgradeContract = defineContract({
  requireUpgrade: {
    method: 'GET',
    path: gatewaySockets.connectRealtime.path,
    summary: 'Answers requests that are not an upgrade to a WebSocket',
    tags: ['Realtime'],
    responses: failureResponses,
  },
})

export const upgradeRequired = (): Failure =>
  failure(400, 'This address is a WebSocket. Open it with a client of realtime sessions.', {
    code: 'websocket_required',
  })

/** Creates the route of ordinary requests to the address of realtime sessions, for callers with and without a key. */
export const upgradeRoutes = <Host>(
  options: Pick<ImplementOptions<undefined, Host>, 'failures' | 'newRequestId' | 'publicUrl' | 'onFault'>,
): readonly Route<Host>[] =>
  implement<typeof upgradeContract, undefined, Host>(upgradeContract, { requireUpgrade: upgradeRequired }, options)
