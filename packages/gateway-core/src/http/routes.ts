import {
  type AdminCheck,
  type Exchange,
  type Handlers,
  implement,
  type Operation,
  type Reply,
  type Route,
} from '@trivium/http-contract'
import type { Gateway } from '../create-gateway.ts'
import { type AccessOptions, type AccessRule, type AccessVerdict, decideAccess } from './access/access.ts'
import { HttpCall } from './access/http-call.ts'
import { IdentifiedExchange } from './access/identified-exchange.ts'
import { chatHandlers } from './chat/chat-handlers.ts'
import { type GatewayContract, type GatewayOperation, gatewayContract } from './contract.ts'
import { failures, replyOf } from './errors/failures.ts'
import type { HandlerParts } from './handler-parts.ts'
import { healthHandler } from './health/health-handler.ts'
import { imageHandlers } from './images/image-handlers.ts'
import { keyHandlers } from './keys/key-handlers.ts'
import { validateHandler } from './keys/validate-handler.ts'
import { modelHandlers } from './models/model-handlers.ts'
import { searchHandler } from './search/search-handler.ts'
import { usageHandler } from './usage/usage-handler.ts'

export interface GatewayRoutesOptions {
  /** Whether HTTP Basic or Bearer credentials are the admin's, who may do everything. @default nobody is the admin */
  readonly admin?: AdminCheck
  /** Replaces who may call which operation. @default the closed rules of {@link defaultAccess} */
  readonly authorize?: Partial<Readonly<Record<GatewayOperation, AccessRule>>>
  /**
   * Where clients reach the routes, without a slash at the end: stored pictures have their addresses below it.
   *
   * @default `http://` and the request's Host
   */
  readonly publicUrl?: string
  /** The most bytes of a chat request. @default 8 MiB */
  readonly chatBodyLimit?: number
  /** Told of every fault that a client only sees as a 500. */
  readonly onFault?: (error: unknown, operation: Operation) => void
  readonly now?: () => Date
  readonly newId?: () => string
}

/** Who may do what, unless the host says otherwise. */
export const defaultAccess: Readonly<Record<GatewayOperation, AccessRule>> = {
  createChatCompletion: 'key',
  createImage: 'key',
  // The address itself is the secret.
  getImageFile: 'open',
  listModels: 'key',
  getModel: 'key',
  listImageModels: 'key',
  generateKey: 'admin',
  validateKey: 'open',
  listKeys: 'admin',
  getKey: 'admin',
  changeKey: 'admin',
  rotateKey: 'admin',
  revokeKey: 'admin',
  getUsage: 'key',
  search: 'key',
  getHealth: 'open',
}

/** The gateway's HTTP interface, for any transport to mount. */
export function gatewayRoutes(gateway: Gateway, options: GatewayRoutesOptions = {}): readonly Route[] {
  const { admin = () => false, authorize, publicUrl, chatBodyLimit, onFault } = options
  const { now = () => new Date(), newId = () => crypto.randomUUID() } = options
  const access: AccessOptions = { apiKeys: gateway.apiKeys, isAdmin: admin }
  const rules = new Map<Operation, { readonly id: string; readonly rule: AccessRule }>()
  const parts: HandlerParts = {
    gateway,
    now,
    baseUrl: ({ headers }) => publicUrl ?? `http://${typeof headers.host === 'string' ? headers.host : 'localhost'}`,
  }
  const contract = chatBodyLimit === undefined ? gatewayContract : withChatBodyLimit(chatBodyLimit)
  for (const [id, operation] of Object.entries(contract)) {
    // The contract has no other operations.
    const name = id as GatewayOperation
    rules.set(operation, { id, rule: authorize?.[name] ?? defaultAccess[name] })
  }

  const admission = (exchange: Exchange, verdict: AccessVerdict) =>
    'refused' in verdict
      ? { reply: replyOf(verdict.refused) }
      : { context: new HttpCall(exchange, requestIdOf(exchange), verdict.caller) }

  const admit = (exchange: Exchange, operation: Operation) => {
    const { id = '', rule = 'admin' } = rules.get(operation) ?? {}
    const verdict = decideAccess(rule, { operation: id, headers: exchange.headers }, access)
    return 'then' in verdict ? verdict.then((decided) => admission(exchange, decided)) : admission(exchange, verdict)
  }

  return implement(contract, gatewayHandlers(parts), { failures, admit, ...(onFault ? { onFault } : {}) }).map(
    (route) => identified(route, newId),
  )
}

const gatewayHandlers = (parts: HandlerParts): Handlers<GatewayContract, HttpCall> => ({
  ...chatHandlers(parts),
  ...imageHandlers(parts),
  ...modelHandlers(parts),
  ...keyHandlers(parts),
  ...validateHandler(parts),
  ...usageHandler(parts),
  ...searchHandler(parts),
  ...healthHandler(parts),
})

const withChatBodyLimit = (bodyLimit: number): GatewayContract => ({
  ...gatewayContract,
  createChatCompletion: { ...gatewayContract.createChatCompletion, bodyLimit },
})

/** Gives every reply the id of its request. */
function identified(route: Route, newId: () => string): Route {
  const withId = (reply: Reply, requestId: string): Reply =>
    'x-request-id' in reply.headers ? reply : { ...reply, headers: { ...reply.headers, 'x-request-id': requestId } }
  return {
    ...route,
    handle(exchange) {
      const known = new IdentifiedExchange(exchange, newId)
      return route.handle(known).then((reply) => withId(reply, known.requestId))
    },
    refuseMethod: (method, allow) => withId(route.refuseMethod(method, allow), `req_${newId()}`),
    describe: (allow) => withId(route.describe(allow), `req_${newId()}`),
    fail: (error) => withId(route.fail(error), `req_${newId()}`),
  }
}

const requestIdOf = (exchange: Exchange): string => (exchange instanceof IdentifiedExchange ? exchange.requestId : '')
