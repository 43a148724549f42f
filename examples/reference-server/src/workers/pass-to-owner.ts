import type { EventEmitter } from 'node:events'
import { IncomingMessage, type RequestListener, ServerResponse } from 'node:http'

/** A response by its id: its events, its cancellation, its removal. */
const OF_RESPONSE = /^\/v1\/responses\/([^/?#]+)(?:\/cancel)?(?:\?|$)/
const PREFIX = '/v1/responses/'

/**
 * Passes a request about a response that another worker runs in the background on to that worker: only that one has its
 * events.
 *
 * @param ownerOf finds the worker that runs a response; `undefined` where that is this one, or none
 */
export function passToOwner(
  server: EventEmitter,
  ownerOf: (id: string) => Promise<RequestListener | undefined>,
  onFault: (error: unknown) => void,
): void {
  const { emit } = server
  server.emit = (event: string | symbol, ...given: readonly unknown[]): boolean => {
    const [request, response] = given
    const isRequest =
      event === 'request' && request instanceof IncomingMessage && request.url?.startsWith(PREFIX) === true
    const id = isRequest ? OF_RESPONSE.exec(request.url ?? '')?.[1] : undefined
    if (!isRequest || id === undefined || !(response instanceof ServerResponse)) {
      return emit.call(server, event, ...given)
    }
    const answerHere = () => emit.call(server, event, ...given)
    ownerOf(id).then(
      (owner) => (owner ? owner(request, response) : answerHere()),
      (error: unknown) => {
        onFault(error)
        answerHere()
      },
    )
    return true
  }
}
