import {
  type Admission,
  checkOptions,
  type Handlers,
  type ImplementOptions,
  implement,
  type Route,
} from '@trivium/http-contract'
import { accountOf } from '../accounts/account.ts'
import type { Caller, GatewayCall } from '../caller.ts'
import { checkRange } from '../check-range.ts'
import type { Gateway } from '../create-gateway.ts'
import { ignoreServiceClosed, ServiceClosed } from '../lifetime.ts'
import { RefusedRequests } from '../rate-limits/refused-requests.ts'
import type { Refusal } from '../request-log/refusal-status.ts'
import { isAdministrative } from './access/access.ts'
import { accountGuard } from './access/account-guard.ts'
import type { CheckedAdmission } from './access/check-policies.ts'
import { decideCaller, ownRuleOf } from './access/decide-caller.ts'
import { SearchRights } from './access/search-rights.ts'
import { cacheHandler } from './answer-cache/cache-handler.ts'
import { chatHandlers } from './chat/chat-handlers.ts'
import { type GatewayContract, type GatewayOperation, gatewayContract } from './contract.ts'
import { batchHandlers } from './endpoints/batch-handlers.ts'
import { endpointHandlers } from './endpoints/endpoint-handlers.ts'
import { fileHandlers } from './endpoints/file-handlers.ts'
import { uploadHandlers } from './endpoints/upload-handlers.ts'
import { failures } from './errors/failures.ts'
import { groupHandlers } from './groups/group-handlers.ts'
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
import { clientSecretHandler } from './realtime/client-secret-handler.ts'
import { upgradeRoutes } from './realtime/upgrade-routes.ts'
import { loggedOperation } from './requests/logged-operations.ts'
import { requestHandlers } from './requests/request-handlers.ts'
import { conversationHandlers } from './responses/conversation-handlers.ts'
import { responseHandlers } from './responses/response-handlers.ts'
import { storedResponseHandlers } from './responses/stored-response-handlers.ts'
import { searchHandler } from './search/search-handler.ts'
import { usageHandler } from './usage/usage-handler.ts'

/**
 * Returns the routes of the gateway's HTTP interface, which any transport can mount.
 *
 * @throws TypeError for an option that does not exist, and a rule under an id that is not an operation
 * @throws RangeError for an option that is out of its range
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
  const { publicUrl, chatBodyLimit, onFault = (error, _, id) => gateway.onFault(error, id), onAnswered } = options
  if (chatBodyLimit !== undefined) checkRange({ chatBodyLimit }, 1, Number.MAX_SAFE_INTEGER)
  const { now = () => new Date(), newId = () => crypto.randomUUID() } = options
  const decide = decideCaller(gateway, options)
  const searchRights = new SearchRights()
  const parts: HandlerParts = { gateway, now, searchRights }
  const contract = chatBodyLimit === undefined ? gatewayContract : withChatBodyLimit(chatBodyLimit)

  const refusedRequests = new RefusedRequests()
  const logRefused = (call: Pick<GatewayCall, 'requestId' | 'caller' | 'signal'>, id: string, refusal: Refusal) => {
    const operation = loggedOperation(id)
    if (operation && gateway.requestLog.isOn) gateway.requestLog.refused(call, { operation }, refusal)
  }
  const guard = accountGuard({
    limits: gateway.limits,
    refusedRequests,
    now,
    onLimited: (call, error, id) => logRefused(call, id, error),
  })
  const admit: ImplementOptions<Caller, Host>['admit'] = (exchange, operation, id, requestId) => {
    if (gateway.isClosed) throw new ServiceClosed('gateway')
    const admission = decide(exchange, id, operation.method)
    const withRights = (decided: Admission<Caller>) =>
      searching.has(id) ? searchRights.keep(decided, () => decide(exchange, 'search', 'GET')) : decided
    const guarded = (decided: CheckedAdmission) => {
      const { refused } = decided
      if (refused) logRefused({ requestId, caller: refused.caller, signal: exchange.signal }, id, refused.refusal)
      return guard(withRights(decided), { exchange, id, operation, requestId, isLimited: ownRuleOf(id) === 'key' })
    }
    return 'then' in admission ? admission.then(guarded) : guarded(admission)
  }

  const shared = {
    failures,
    newRequestId: () => `req_${newId()}`,
    ...(publicUrl !== undefined && { publicUrl }),
    onFault: ignoreServiceClosed(onFault),
  }
  const routes = implement<GatewayContract, Caller, Host>(contract, gatewayHandlers(parts), {
    ...shared,
    admit,
    onRefused: (caller) => {
      const account = accountOf(caller)
      if (account) refusedRequests.count(account, now())
    },
    isAdministrative: (id) => isAdministrative(ownRuleOf(id)),
    ...(onAnswered && { onAnswered }),
  })
  return [...routes.map(messageRoute), ...upgradeRoutes<Host>(shared)]
}

/** The operations whose models may search for their caller. */
const searching: ReadonlySet<string> = new Set<GatewayOperation>(['createResponse', 'createMessage'])

const gatewayHandlers = (parts: HandlerParts): Handlers<GatewayContract, Caller> => ({
  ...chatHandlers(parts),
  ...responseHandlers(parts),
  ...messageHandlers(parts),
  ...storedResponseHandlers(parts),
  ...conversationHandlers(parts),
  ...endpointHandlers(parts),
  ...fileHandlers(parts),
  ...uploadHandlers(parts),
  ...batchHandlers(parts),
  ...imageHandlers(parts),
  ...modelHandlers(parts),
  ...keyHandlers(parts),
  ...groupHandlers(parts),
  ...validateHandler(parts),
  ...callerHandler(parts),
  ...usageHandler(parts),
  ...requestHandlers(parts),
  ...cacheHandler(parts),
  ...searchHandler(parts),
  ...healthHandler(parts),
  ...clientSecretHandler(parts),
})

const withChatBodyLimit = (bodyLimit: number): GatewayContract => ({
  ...gatewayContract,
  createChatCompletion: { ...gatewayContract.createChatCompletion, bodyLimit },
  createResponse: { ...gatewayContract.createResponse, bodyLimit },
  countResponseTokens: { ...gatewayContract.countResponseTokens, bodyLimit },
  compactResponse: { ...gatewayContract.compactResponse, bodyLimit },
  createMessage: { ...gatewayContract.createMessage, bodyLimit },
  countMessageTokens: { ...gatewayContract.countMessageTokens, bodyLimit },
})
