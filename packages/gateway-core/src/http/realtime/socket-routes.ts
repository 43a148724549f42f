import {
  type Admission,
  checkOptions,
  credentialsOf,
  implementSockets,
  isSameOrigin,
  type RefusalReason,
  type Socket,
  type SocketExchange,
  type SocketOperation,
  type SocketRoute,
  type SocketVerdict,
} from '@trivium/http-contract'
import type { Caller, GatewayCall } from '../../caller.ts'
import type { Gateway } from '../../create-gateway.ts'
import { ignoreServiceClosed, ServiceClosed } from '../../lifetime.ts'
import { CLIENT_SECRET_PREFIX } from '../../realtime/client-secrets.ts'
import type { RealtimeSession } from '../../realtime/realtime-session.ts'
import { identityOf } from '../access/access.ts'
import { checkPolicies } from '../access/check-policies.ts'
import { decideCaller } from '../access/decide-caller.ts'
import { type Failure, failure } from '../errors/failure.ts'
import { failureReply } from '../errors/failure-reply.ts'
import { failures } from '../errors/failures.ts'
import { toFailure } from '../errors/to-failure.ts'
import { refuseCall } from '../handler-parts.ts'
import { type GatewayRoutesOptions, gatewayRoutesOptionNames } from '../options.ts'
import { gatewaySockets } from './socket-contract.ts'

interface Requester {
  readonly call: GatewayCall
  /** What a client secret grants. */
  readonly granted: { readonly model: string; readonly session: Readonly<Record<string, unknown>> } | undefined
}

/**
 * Creates the WebSocket routes of the gateway: realtime sessions. Mount them beside those of {@link gatewayRoutes}, with
 * the same options.
 *
 * A session that is refused, or that no upstream opens, gets a response instead of a socket, such as 401 or 404. A page of
 * another origin needs a key or a client secret: a browser sends cookies for any page.
 *
 * @throws TypeError for an option that does not exist, and a rule under an id that is not an operation
 *
 * @example
 * ```ts
 * import { expressSockets } from '@trivium/express-adapter'
 * import type { Gateway } from '@trivium/gateway-core'
 * import { gatewaySocketRoutes } from '@trivium/gateway-core/http'
 * import type { Server } from 'node:http'
 *
 * export const serveRealtime = (gateway: Gateway, server: Server) =>
 *   expressSockets(server, gatewaySocketRoutes(gateway))
 * ```
 */
export function gatewaySocketRoutes<Host = unknown>(
  gateway: Gateway,
  options: GatewayRoutesOptions<Host> = {},
): readonly SocketRoute<Host>[] {
  checkOptions('gatewaySocketRoutes', options, gatewayRoutesOptionNames)
  const { onFault = (error, _, id) => gateway.onFault(error, id), onAnswered, publicUrl } = options
  const { now = () => new Date(), newId = () => crypto.randomUUID() } = options
  const decide = decideCaller(gateway, options)

  const admit = async (given: SocketExchange<Host>, _: SocketOperation, id: string): Promise<Admission<Requester>> => {
    if (gateway.isClosed) throw new ServiceClosed('gateway')
    const exchange = withProtocolToken(given)
    const credentials = credentialsOf(exchange.headers)
    const requester = (caller: Caller, granted?: Requester['granted']): Requester => ({
      call: { requestId: `req_${newId()}`, caller, signal: exchange.signal },
      granted,
    })
    if (credentials.type === 'bearer' && credentials.token.startsWith(CLIENT_SECRET_PREFIX)) {
      const checked = await gateway.clientSecrets.check(credentials.token)
      if (checked.isErr()) return refusal(toFailure(checked.error), 'wrong_key')
      const { key, model, session } = checked.value
      // A secret grants no more than its key.
      const caller: Caller = { type: 'key', key }
      const admission = checkPolicies({ caller, identity: identityOf(key) }, id, exchange.remoteAddress)
      return 'reply' in admission ? admission : { ...admission, caller: requester(caller, { model, session }) }
    }
    if (credentials.type !== 'bearer' && !isSameOrigin(exchange)) return refusal(crossSite, 'cross_site')
    const admission = await decide(exchange, id, 'CONNECT')
    return 'reply' in admission ? admission : { ...admission, caller: requester(admission.caller) }
  }

  const connectRealtime = async ({
    query,
    caller: { call, granted },
  }: {
    readonly query: { readonly model?: string | undefined }
    readonly caller: Requester
  }): Promise<SocketVerdict> => {
    const model = granted?.model ?? query.model
    if (model === undefined) return { reply: failureReply(modelMissing) }
    if (query.model !== undefined && query.model !== model) return { reply: failureReply(modelNotGranted(model)) }
    const opened = await gateway.realtime.open(call, model)
    if (opened.isErr()) return { reply: failureReply(refuseCall(opened.error, call, now())) }
    return { open: (socket) => attach(opened.value, socket, granted?.session) }
  }

  return implementSockets(
    gatewaySockets,
    { connectRealtime },
    {
      failures,
      admit,
      ...(onAnswered && { onAnswered }),
      ...(publicUrl !== undefined && { publicUrl }),
      onFault: ignoreServiceClosed(onFault),
    },
  )
}

const refusal = (answer: Failure, reason: RefusalReason) => ({ reply: failureReply(answer), reason })

const crossSite = failure(401, 'A page of another site needs an API key or a client secret.', {
  code: 'foreign_origin',
})

const modelMissing = failure(400, "Missing required parameter 'model'.", {
  param: 'model',
  code: 'missing_required_parameter',
})

/** Refuses a model in the query that differs from that of the client secret. */
export const modelNotGranted = (granted: string): Failure =>
  failure(400, `This client secret is for the model '${granted}'. Use that model, or leave 'model' out.`, {
    param: 'model',
    code: 'model_not_granted',
  })

function attach(
  session: RealtimeSession,
  socket: Socket,
  granted: Readonly<Record<string, unknown>> | undefined,
): void {
  const control = session.attach(socket)
  socket.onMessage((message) => control.message(message))
  socket.onClose(() => control.closed())
  if (!granted) return
  const { model: _, ...configured } = granted
  control.message(JSON.stringify({ type: 'session.update', session: configured }))
}

const PROTOCOL_TOKEN = /(?:^|,)\s*openai-insecure-api-key\.([!-+\--~]{1,4096})\s*(?:,|$)/

/** Pages in a browser cannot set headers, so they send the key as a subprotocol. */
function withProtocolToken<Host>(exchange: SocketExchange<Host>): SocketExchange<Host> {
  const { authorization, 'sec-websocket-protocol': protocols } = exchange.headers
  const [, token] =
    (authorization === undefined && typeof protocols === 'string' && PROTOCOL_TOKEN.exec(protocols)) || []
  if (token === undefined) return exchange
  const headers = { ...exchange.headers, authorization: `Bearer ${token}` }
  const { method, params, query, remoteAddress, host } = exchange
  return {
    method,
    params,
    query,
    remoteAddress,
    host,
    headers,
    get mount() {
      return exchange.mount
    },
    get signal() {
      return exchange.signal
    },
  }
}
