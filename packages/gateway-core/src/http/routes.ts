import {
  type Admission,
  accessRule,
  type Handlers,
  type ImplementOptions,
  implement,
  type Route,
} from '@trivium/http-contract'
import type { Caller } from '../caller.ts'
import type { Gateway } from '../create-gateway.ts'
import { ignoreServiceClosed, ServiceClosed } from '../lifetime.ts'
import { RefusedRequests } from '../rate-limits/refused-requests.ts'
import { type AccessOptions, type AccessRule, decideAccess } from './access/access.ts'
import { keyGuard } from './access/key-guard.ts'
import { chatHandlers } from './chat/chat-handlers.ts'
import { type GatewayContract, type GatewayOperation, gatewayContract } from './contract.ts'
import { failures } from './errors/failures.ts'
import type { HandlerParts } from './handler-parts.ts'
import { healthHandler } from './health/health-handler.ts'
import { imageHandlers } from './images/image-handlers.ts'
import { keyHandlers } from './keys/key-handlers.ts'
import { validateHandler } from './keys/validate-handler.ts'
import { modelHandlers } from './models/model-handlers.ts'
import type { GatewayRoutesOptions } from './options.ts'
import { searchHandler } from './search/search-handler.ts'
import { usageHandler } from './usage/usage-handler.ts'

/** The access rules, unless the host replaces them. */
const defaultAccess: Readonly<Record<GatewayOperation, AccessRule>> = {
  createChatCompletion: 'key',
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
  getUsage: 'key',
  search: 'key',
  getHealth: 'open',
}

const defaultRules: Readonly<Record<string, AccessRule | undefined>> = defaultAccess

/**
 * Returns the routes of the gateway's HTTP interface, which any transport can mount.
 *
 * @example
 * ```ts
 * import { fetchHandler } from '@trivium/fetch-adapter'
 * import { createGateway } from '@trivium/gateway-core'
 * import { gatewayRoutes } from '@trivium/gateway-core/http'
 * import { adminCheck } from '@trivium/http-contract'
 * import { localProvider } from '@trivium/local-provider'
 * import { memoryGatewayRepositories } from '@trivium/memory-repositories/gateway'
 *
 * const gateway = createGateway({ repositories: memoryGatewayRepositories(), providers: [localProvider()] })
 * const handle = fetchHandler(gatewayRoutes(gateway, { admin: adminCheck('secret') }))
 * ```
 */
export function gatewayRoutes(gateway: Gateway, options: GatewayRoutesOptions = {}): readonly Route[] {
  const { admin = () => false, authorize, publicUrl, chatBodyLimit, onFault = gateway.onFault, onAnswered } = options
  const { now = () => new Date(), newId = () => crypto.randomUUID() } = options
  const access: AccessOptions = { apiKeys: gateway.apiKeys, isAdmin: admin }
  const parts: HandlerParts = {
    gateway,
    now,
    baseUrl: ({ host }) => publicUrl ?? `http://${typeof host === 'string' ? host : 'localhost'}`,
  }
  const contract = chatBodyLimit === undefined ? gatewayContract : withChatBodyLimit(chatBodyLimit)

  const refusedRequests = new RefusedRequests()
  const guard = keyGuard({ limits: gateway.limits, refusedRequests, now })
  const admit: ImplementOptions<Caller>['admit'] = (exchange, operation, id, requestId) => {
    if (gateway.isClosed) throw new ServiceClosed('gateway')
    const { headers, remoteAddress } = exchange
    const rule = accessRule(authorize, id) ?? defaultRules[id] ?? 'admin'
    const admission = decideAccess(rule, { operation: id, headers, remoteAddress }, access)
    const guarded = (decided: Admission<Caller>) =>
      guard(decided, { exchange, operation, requestId, isLimited: defaultRules[id] === 'key' })
    return 'then' in admission ? admission.then(guarded) : guarded(admission)
  }

  return implement(contract, gatewayHandlers(parts), {
    failures,
    admit,
    onRefused: (caller) => {
      if (caller.type === 'key') refusedRequests.count(caller.key, now())
    },
    newRequestId: () => `req_${newId()}`,
    isAdministrative: (id) => defaultRules[id] === 'admin',
    ...(onAnswered && { onAnswered }),
    onFault: ignoreServiceClosed(onFault),
  })
}

const gatewayHandlers = (parts: HandlerParts): Handlers<GatewayContract, Caller> => ({
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
