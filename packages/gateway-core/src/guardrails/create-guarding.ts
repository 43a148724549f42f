import { errAsync, ok, ResultAsync } from 'neverthrow'
import type { GatewayCall } from '../caller.ts'
import type { AnsweringLayer } from '../dialects/answering/answering.ts'
import type { DialectCall } from '../dialects/answering/front.ts'
import type { Messages } from '../dialects/messages/messages.ts'
import type { Responses as StatelessResponses } from '../dialects/responses/responses.ts'
import type { EndpointCalls } from '../endpoints/endpoint-calls.ts'
import type { Images } from '../images/images.ts'
import type { ModelCallError } from '../models/model-call-error.ts'
import type { Realtime } from '../realtime/realtime.ts'
import type { Responses } from '../responses/responses.ts'
import type { Search } from '../search/search.ts'
import { checkedGuardrails } from './checked-guardrails.ts'
import { guardedAnswering } from './guarded-answering.ts'
import { guardedEndpoints } from './guarded-endpoints.ts'
import { GuardedRequests, type GuardedRequestsParts } from './guarded-requests.ts'
import type { Guardrail } from './guardrail.ts'
import { moderateTexts } from './moderate-texts.ts'

export interface GuardingOptions {
  readonly guardrails: readonly Guardrail[]
  readonly uncheckedRequests: 'refuse' | 'admit'
}

export interface GuardingParts extends Omit<GuardedRequestsParts, 'guardrails' | 'moderate'> {
  /** Those without guardrails, which moderation models are called by. */
  readonly endpoints: () => EndpointCalls
}

/** A service whose requests are of a dialect. */
type DialectService<Value, Failure> = (call: GatewayCall, request: DialectCall) => ResultAsync<Value, Failure>

/** How the services of a gateway use its guardrails. */
export interface Guarding {
  /** Absent where there is no guardrail. */
  readonly answering: AnsweringLayer | undefined
  /** Checks requests before they are counted or compacted by an upstream. */
  stateless(service: StatelessResponses): StatelessResponses
  /** Checks requests before they are stored. */
  responses(service: Responses): Responses
  messages(service: Messages): Messages
  endpoints(service: EndpointCalls): EndpointCalls
  images(service: Images): Images
  search(service: Search): Search
  realtime(service: RealtimeSessions): RealtimeSessions
}

type RealtimeSessions = Pick<Realtime, 'open' | 'check'>

const same = <Service>(service: Service): Service => service

const unguarded: Guarding = {
  answering: undefined,
  stateless: same,
  responses: same,
  messages: same,
  endpoints: same,
  images: same,
  search: same,
  realtime: same,
}

/**
 * @throws TypeError for a guardrail that is malformed
 * @throws RangeError for a number that is out of range
 */
export function createGuarding(
  { guardrails: given, uncheckedRequests }: GuardingOptions,
  { endpoints, ...shared }: GuardingParts,
): Guarding {
  const guardrails = checkedGuardrails(given)
  if (uncheckedRequests !== 'refuse' && uncheckedRequests !== 'admit') {
    throw new TypeError("'uncheckedRequests' must be 'refuse' or 'admit'.")
  }
  if (guardrails.length === 0) return unguarded
  const parts: GuardedRequestsParts = { ...shared, guardrails, moderate: moderateTexts(endpoints) }
  const requests = new GuardedRequests(parts)
  const refusesUnread = uncheckedRequests === 'refuse' && guardrails.some(({ reportsOnly }) => !reportsOnly)

  const before =
    <Value, Failure>(service: DialectService<Value, Failure>): DialectService<Value, Failure | ModelCallError> =>
    (call, request) =>
      new ResultAsync(requests.dialect(call, request)).andThen((guarded) => service(call, guarded))

  return {
    answering: (front, service) => guardedAnswering(front, service, requests, parts),
    stateless: (service) => ({
      ...service,
      countTokens: before(service.countTokens),
      compact: before(service.compact),
    }),
    responses: (service) => ({
      complete: before(service.complete),
      stream: before(service.stream),
      countTokens: before(service.countTokens),
      compact: before(service.compact),
    }),
    messages: (service) => ({ ...service, countTokens: before(service.countTokens) }),
    endpoints: (service) => guardedEndpoints(service, requests, parts, refusesUnread),
    images: (service) => ({
      ...service,
      generate: (call, request) =>
        new ResultAsync(guardedImages(requests, service, call, request)).andThen((guarded) =>
          service.generate(call, guarded),
        ),
    }),
    search: (service) => guardedSearch(requests, service),
    realtime: refusesUnread
      ? () => ({
          open(call, model) {
            const refused = requests.refused(call, { operation: 'realtime', model, streamed: true }, unchecked)
            return errAsync(refused)
          },
          check: () => errAsync(unchecked),
        })
      : same,
  }
}

const unchecked = { type: 'guardrail-unchecked' } as const

async function guardedImages(
  requests: GuardedRequests,
  service: Images,
  call: GatewayCall,
  request: Parameters<Images['generate']>[1],
) {
  const { prompt, user, extra } = request
  const { model } = await service.traits(request.model)
  // The service refuses it.
  if (model === undefined) return ok(request)
  const operation = { operation: 'image', kind: 'image', model, streamed: false } as const
  const guarded = await requests.value(call, operation, { prompt, user, extra })
  return guarded.map(({ user: checkedUser, ...checked }) => ({
    ...request,
    ...checked,
    ...(checkedUser === undefined ? {} : { user: checkedUser }),
  }))
}

const guardedSearch = (requests: GuardedRequests, service: Search): Search => ({
  get engines() {
    return service.engines
  },
  search: (call, request) =>
    new ResultAsync(requests.search(call, request)).andThen((guarded) => service.search(call, guarded)),
})
