import {
  type Admission,
  accessRequest,
  accessRule,
  checkAccessRules,
  checkOptions,
  type Handlers,
  type ImplementOptions,
  implement,
  type Route,
} from '@trivium/http-contract'
import { accountOf } from '../accounts/account.ts'
import type { Caller } from '../caller.ts'
import type { Gateway } from '../create-gateway.ts'
import { ignoreServiceClosed, ServiceClosed } from '../lifetime.ts'
import { RefusedRequests } from '../rate-limits/refused-requests.ts'
import { type AccessOptions, type AccessRule, decideAccess, type OwnRule } from './access/access.ts'
import { accountGuard } from './access/account-guard.ts'
import { askHostRule } from './access/ask-host-rule.ts'
import { chatHandlers } from './chat/chat-handlers.ts'
import { type GatewayContract, type GatewayOperation, gatewayContract } from './contract.ts'
import { failures } from './errors/failures.ts'
import type { HandlerParts } from './handler-parts.ts'
import { healthHandler } from './health/health-handler.ts'
import { imageHandlers } from './images/image-handlers.ts'
import { callerHandler } from './keys/caller-handler.ts'
import { keyHandlers } from './keys/key-handlers.ts'
import { validateHandler } from './keys/validate-handler.ts'
import { messageHandlers } from './messages/message-handlers.ts'
import { messageRoute } from './messages/message-routes.ts'
import { modelHandlers } from './models/model-handlers.ts'
import { type GatewayRoutesOptions, gatewayRoutesOptionNames } from './options.ts'
import { responseHandlers } from './responses/response-handlers.ts'
import { searchHandler } from './search/search-handler.ts'
import { usageHandler } from './usage/usage-handler.ts'

/** The access rules, unless the host replaces them. */
const defaultAccess: Readonly<Record<GatewayOperation, OwnRule>> = {
  createChatCompletion: 'key',
  createResponse: 'key',
  createMessage: 'key',
  countMessageTokens: 'key',
  createImage: 'key',
  // The id itself is the secret.
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
  getCaller: 'key',
  getUsage: 'key',
  search: 'key',
  getHealth: 'open',
}

const defaultRules: Readonly<Record<string, OwnRule | undefined>> = defaultAccess

/**
 * Returns the routes of the gateway's HTTP interface, which any transport can mount.
 *
 * @throws TypeError for an option that does not exist, and a rule under an id that is not an operation
 *
 * @example
 * ```ts
 * import { fetchHandler } from '@trivium/fetch-adapter'
 * import { createGateway } from '@trivium/gateway-core'
 * import { gatewayRoutes } from '@trivium/gateway-core/http'
 * import { adminCheck } from '@trivium/http-contract'
 * import { localProvider } from '@trivium/local-provider'
 *
 * const gateway = createGateway({ providers: [localProvider()] })
 * const handle = fetchHandler(gatewayRoutes(gateway, { admin: adminCheck('secret') }))
 * ```
 */
export function gatewayRoutes<Host = unknown>(
  gateway: Gateway,
  options: GatewayRoutesOptions<Host> = {},
): readonly Route<Host>[] {
  checkOptions('gatewayRoutes', options, gatewayRoutesOptionNames)
  const {
    admin = () => false,
    authorize,
    publicUrl,
    chatBodyLimit,
    onFault = (error, _, id) => gateway.onFault(error, id),
    onAnswered,
  } = options
  const { now = () => new Date(), newId = () => crypto.randomUUID() } = options
  checkAccessRules(authorize, Object.keys(gatewayContract), ['open', 'key', 'admin'])
  const access: AccessOptions = { apiKeys: gateway.apiKeys, isAdmin: admin }
  const parts: HandlerParts = { gateway, now }
  const contract = chatBodyLimit === undefined ? gatewayContract : withChatBodyLimit(chatBodyLimit)

  const refusedRequests = new RefusedRequests()
  const guard = accountGuard({ limits: gateway.limits, refusedRequests, now })
  const admit: ImplementOptions<Caller, Host>['admit'] = (exchange, operation, id, requestId) => {
    if (gateway.isClosed) throw new ServiceClosed('gateway')
    const own = defaultRules[id] ?? 'admin'
    const rule = ruleOf(authorize, id, own)
    const admission =
      typeof rule === 'function'
        ? askHostRule(rule, accessRequest(exchange, id, operation.method), own, access)
        : decideAccess(rule, exchange, access)
    const guarded = (decided: Admission<Caller>) =>
      guard(decided, { exchange, operation, requestId, isLimited: own === 'key' })
    return 'then' in admission ? admission.then(guarded) : guarded(admission)
  }

  const routes = implement<GatewayContract, Caller, Host>(contract, gatewayHandlers(parts), {
    failures,
    admit,
    onRefused: (caller) => {
      const account = accountOf(caller)
      if (account) refusedRequests.count(account, now())
    },
    newRequestId: () => `req_${newId()}`,
    isAdministrative: (id) => defaultRules[id] === 'admin',
    ...(onAnswered && { onAnswered }),
    ...(publicUrl !== undefined && { publicUrl }),
    onFault: ignoreServiceClosed(onFault),
  })
  return routes.map(messageRoute)
}

/**
 * Returns the rule of an operation. The word `key` under a star does not give keys the operations of the admin, which
 * create and revoke keys: their own ids have to be named.
 */
function ruleOf<Host>(
  authorize: Readonly<Record<string, AccessRule<Host> | undefined>> | undefined,
  id: string,
  own: OwnRule,
): Exclude<AccessRule<Host>, 'default'> {
  const rule = accessRule(authorize, id) ?? own
  return rule === 'key' && own === 'admin' && authorize?.[id] !== 'key' ? own : rule
}

const gatewayHandlers = (parts: HandlerParts): Handlers<GatewayContract, Caller> => ({
  ...chatHandlers(parts),
  ...responseHandlers(parts),
  ...messageHandlers(parts),
  ...imageHandlers(parts),
  ...modelHandlers(parts),
  ...keyHandlers(parts),
  ...validateHandler(parts),
  ...callerHandler(parts),
  ...usageHandler(parts),
  ...searchHandler(parts),
  ...healthHandler(parts),
})

const withChatBodyLimit = (bodyLimit: number): GatewayContract => ({
  ...gatewayContract,
  createChatCompletion: { ...gatewayContract.createChatCompletion, bodyLimit },
  createResponse: { ...gatewayContract.createResponse, bodyLimit },
  createMessage: { ...gatewayContract.createMessage, bodyLimit },
  countMessageTokens: { ...gatewayContract.countMessageTokens, bodyLimit },
})
