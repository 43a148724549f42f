import type { SpendPeriod } from '../../accounts/limits.ts'
import type { ApiKeyError, ApiKeyRefusal } from '../../api-keys/api-keys.ts'
import { messageWordsOf } from '../../dialects/messages/full-context.ts'
import { messageDetailsOf } from '../../dialects/messages/message-error.ts'
import type { EndpointError } from '../../endpoints/endpoint-calls.ts'
import { endpoints } from '../../endpoints/endpoint-descriptions.ts'
import type { GroupError } from '../../groups/groups.ts'
import type { ImageError } from '../../images/images.ts'
import { formatDollars } from '../../money/dollars.ts'
import type { ModelNotAllowed, PolicyHolder, PolicyRefusal } from '../../policies/policy-decisions.ts'
import { errorBodyOf } from '../../providers/error-body.ts'
import { CLIENT_DISCONNECTED, isOverloaded, OVERLOADED, statusOf } from '../../providers/error-status.ts'
import type { TooManyRefused } from '../../rate-limits/refused-requests.ts'
import type { TooManyBodies } from '../../rate-limits/running-bodies.ts'
import type { RealtimeError } from '../../realtime/realtime.ts'
import type { ResponseStateError } from '../../responses/response-state-error.ts'
import type { SearchServiceError } from '../../search/search.ts'
import { searchStatusOf } from '../../search/search.ts'
import type { UsageRecord } from '../../usage/usage-record.ts'
import type { UsageError } from '../../usage/usage-reports.ts'
import type { NotInTeam } from '../keys/team-scope.ts'
import type { UnformedFailure } from '../messages/message-failure.ts'
import { type Failure, type FailureStatus, failure } from './failure.ts'

/** All errors of the gateway's services. */
export type GatewayError =
  | ApiKeyError
  | ApiKeyRefusal
  | EndpointError
  | GroupError
  | ImageError
  | ModelNotAllowed
  | NotInTeam
  | PolicyRefusal
  | RealtimeError
  | SearchServiceError
  | TooManyRefused
  | ResponseStateError
  | TooManyBodies
  | UsageError

type Translations = {
  readonly [Type in GatewayError['type']]: (error: Extract<GatewayError, { type: Type }>) => Failure
}

/** The beginnings of messages. */
const holders: Readonly<Record<PolicyHolder, string>> = {
  key: 'This API key',
  team: 'The team of this API key',
  user: 'The user of this API key',
}

/** The ends of messages. */
const exceededBy: Readonly<Record<PolicyHolder, string>> = {
  key: '',
  team: ' by the team of this API key',
  user: ' by the user of this API key',
}

const budgetOf: Readonly<Record<PolicyHolder, string>> = {
  key: 'The budget of this API key',
  team: 'The budget of the team of this API key',
  user: 'The budget of the user of this API key',
}

const periods: Readonly<Record<SpendPeriod, string>> = { day: 'a day', month: 'a month', total: 'in all' }

const startsAgain = (at: Date) => `The budget starts again at ${wholeSeconds(at)}.`

const wholeSeconds = (at: Date) => at.toISOString().replace(/\.000Z$/, 'Z')

/** The longest time that clients are made to sleep. */
const MAX_RETRY_SECONDS = 60

/** Clients sleep for as long as `Retry-After` says, so a budget that starts again much later has no such header. */
const lateRetry = (seconds: number | undefined, resetsAt: Date | undefined) => ({
  retryAfterSeconds: seconds !== undefined && seconds <= MAX_RETRY_SECONDS ? seconds : undefined,
  headers: {
    'x-should-retry': 'false',
    ...(resetsAt ? { 'x-trivium-budget-reset': wholeSeconds(resetsAt) } : {}),
  },
})

const invalidKey = (message: string) =>
  failure(401, message, { code: 'invalid_api_key', headers: { 'www-authenticate': 'Bearer' } })

const translations: Translations = {
  'api-key-malformed': () => invalidKey('Incorrect API key provided.'),
  'api-key-unknown': () => invalidKey('Incorrect API key provided.'),
  'api-key-revoked': () => invalidKey('This API key has been revoked.'),
  'api-key-expired': ({ key }) => invalidKey(`This API key expired at ${key.expiresAt?.toISOString()}.`),
  'api-key-disabled': ({ holder }) => failure(403, `${holders[holder]} is disabled.`, { code: 'api_key_disabled' }),
  'api-key-team-absent': () => failure(403, 'The team of this API key no longer exists.', { code: 'team_not_found' }),
  'endpoint-not-allowed': ({ holder, endpoint }) =>
    failure(403, `${holders[holder]} is not allowed to use '${endpoint}'.`, { code: 'endpoint_not_allowed' }),
  'address-not-allowed': ({ holder }) =>
    failure(403, `${holders[holder]} cannot be used from this address.`, { code: 'address_not_allowed' }),
  'model-not-allowed': ({ holder, model }) =>
    failure(403, `${holders[holder]} is not allowed to use the model '${model}'.`, {
      param: 'model',
      code: 'model_not_allowed',
    }),
  'team-not-found': ({ id }) => failure(404, `There is no team '${id}'.`, { param: 'team_id', code: 'team_not_found' }),
  'team-full': ({ id, most }) =>
    failure(
      409,
      `The team '${id}' has its most keys: ${most} that can be used, or ${most * 10} with revoked and expired ones. Revoke one, or wait until old ones are removed.`,
      { param: 'team_id', code: 'team_full' },
    ),
  'not-in-team': ({ param }) =>
    failure(
      403,
      param === 'team_id'
        ? 'Owners of a team manage the keys of their team only.'
        : 'Owners of a team issue keys for themselves, for users with a key of the team, and for usernames without a user.',
      { param, code: 'not_in_team' },
    ),
  'group-not-found': ({ kind, id }) =>
    failure(404, `There is no ${kind} '${id}'.`, { param: `${kind}_id`, code: `${kind}_not_found` }),
  'group-taken': ({ kind, name }) =>
    failure(409, `There is already a ${kind} '${name}'.`, {
      param: kind === 'team' ? 'name' : 'username',
      code: 'name_taken',
    }),
  'group-in-use': ({ kind, id }) =>
    failure(409, `The ${kind} '${id}' has keys that can be used. Revoke them first.`, {
      param: `${kind}_id`,
      code: `${kind}_in_use`,
    }),
  'groups-not-stored': () => failure(400, 'This gateway stores no teams and no users.', { code: 'groups_not_stored' }),
  'api-key-not-found': ({ id }) =>
    failure(404, `There is no API key '${id}'.`, { param: 'key_id', code: 'api_key_not_found' }),
  'api-key-name-taken': ({ username, name }) =>
    failure(409, `The user '${username}' already has an API key named '${name}'.`, {
      param: 'name',
      code: 'name_taken',
    }),
  'api-key-not-active': ({ id }) =>
    failure(409, `The API key '${id}' has been revoked.`, { param: 'key_id', code: 'api_key_revoked' }),
  'model-not-found': ({ model, candidates }) =>
    failure(404, modelNotFound(model, candidates), { param: 'model', code: 'model_not_found' }),
  'model-kind-mismatch': ({ model, kind }) =>
    failure(400, `The model '${model}' is ${kind === 'image' ? 'an image' : 'a chat'} model.`, {
      param: 'model',
      code: 'unsupported_model',
    }),
  'rate-limited': ({ holder, state, retryAfterMs }) =>
    failure(429, `Rate limit of ${state.limit} requests per minute exceeded${exceededBy[holder]}.`, {
      type: 'requests',
      code: 'rate_limit_exceeded',
      retryAfterSeconds: retryAfterMs / 1000,
      headers: { 'retry-after-ms': String(Math.ceil(retryAfterMs)) },
    }),
  'usage-not-shown': () =>
    failure(401, 'The access rule of this operation identifies no caller, so there is no usage to show.', {
      code: 'missing_api_key',
      headers: { 'www-authenticate': 'Bearer' },
    }),
  'usage-too-large': () =>
    failure(400, 'This report has too many groups or records. Select a shorter period, or group by less.', {
      param: 'group_by',
      code: 'report_too_large',
    }),
  'too-many-reports': () =>
    failure(429, 'Too many reports run or wait for this caller. They run one after the other.', {
      type: 'requests',
      code: 'too_many_reports',
      retryAfterSeconds: 1,
    }),
  'too-many-refused': ({ limit, retryAfterMs }) =>
    failure(429, `This API key has sent ${limit} invalid requests within a minute.`, {
      type: 'requests',
      code: 'too_many_invalid_requests',
      retryAfterSeconds: retryAfterMs / 1000,
    }),
  'too-many-bodies': ({ of, limitMegabytes }) =>
    of === 'account'
      ? failure(429, `This API key is sending more than ${limitMegabytes} MiB of requests at the same time.`, {
          type: 'requests',
          code: 'too_many_bytes_at_once',
          retryAfterSeconds: 1,
        })
      : failure(503, `The gateway is receiving more than ${limitMegabytes} MiB of requests at the same time.`, {
          type: 'server_error',
          code: 'too_many_bytes_received',
          retryAfterSeconds: 1,
        }),
  'too-many-sessions': ({ limit }) =>
    failure(429, `This API key has ${limit} open realtime sessions, which is the most.`, {
      type: 'requests',
      code: 'too_many_sessions',
      retryAfterSeconds: 1,
    }),
  'budget-exceeded': ({ holder, window, limit, retryAfterSeconds, resetsAt }) => {
    const message = `Token budget of ${limit} per ${window} exceeded${exceededBy[holder]}.`
    return window === 'minute'
      ? failure(429, message, { type: 'tokens', code: 'rate_limit_exceeded', retryAfterSeconds })
      : failure(429, `${message} ${startsAgain(resetsAt)}`, {
          type: 'tokens',
          code: 'insufficient_quota',
          ...lateRetry(retryAfterSeconds, resetsAt),
        })
  },
  'tokens-exceed-limit': ({ window, limit, tokens, param = null }) =>
    failure(
      400,
      `The request may use ${tokens} tokens, but its token budget is ${limit} per ${window}. ${param === null ? 'Shorten' : `Lower '${param}' or shorten`} the input.`,
      { param, code: 'tokens_exceed_limit' },
    ),
  'spend-exceeded': ({ holder, period, limit, left, cost, retryAfterSeconds, resetsAt }) =>
    failure(
      429,
      `${budgetOf[holder]} has $${formatDollars(left)} left of $${formatDollars(limit)} ${periods[period]}. This request may cost up to $${formatDollars(cost)}.${resetsAt ? ` ${startsAgain(resetsAt)}` : ''}`,
      { type: 'insufficient_quota', code: 'budget_exceeded', ...lateRetry(retryAfterSeconds, resetsAt) },
    ),
  'cost-exceeds-limit': ({ holder, period, limit, cost, operation, param = null }) =>
    failure(
      400,
      `This request may cost up to $${formatDollars(cost)}. ${budgetOf[holder]} is $${formatDollars(limit)} ${periods[period]}. ${cheaper(operation, param)}`,
      { param, code: 'cost_exceeds_limit' },
    ),
  'model-not-priced': ({ model }) =>
    failure(
      400,
      `The price of the model '${model}', or of one that it leads to, is not known, so a caller with a budget of money cannot use it. The admin can set a price.`,
      { param: 'model', code: 'model_not_priced' },
    ),
  'cost-unbounded': ({ param = null }) =>
    failure(
      400,
      param === null
        ? 'The cost of this operation is known only after it, so a caller with a budget of money cannot use it.'
        : `What '${param}' costs is known only afterwards, so a caller with a budget of money cannot use it.${unboundedAdvice(param)}`,
      { param, code: 'cost_unbounded' },
    ),
  'parallel-exceeded': ({ holder, limit }) =>
    failure(429, `${holders[holder]} has ${limit} running requests, which is the most.`, {
      type: 'requests',
      code: 'too_many_parallel_requests',
      retryAfterSeconds: 1,
    }),
  'limits-unavailable': () =>
    failure(503, 'The limits of this API key cannot be checked because the store is unavailable.', {
      type: 'server_error',
      code: 'store_unavailable',
      retryAfterSeconds: 1,
    }),
  'upstream-failed': ({ error, provider }) => {
    const { message, ...details } = errorBodyOf(error)
    const { retryAfterSeconds } = error
    // Absent where the gateway itself refused the request.
    const headers = provider === undefined ? {} : { 'x-trivium-provider': provider }
    const status = wireStatus(statusOf(error))
    // Clients wait for an upstream that is overloaded.
    const wait = retryAfterSeconds ?? (status === 503 ? 1 : undefined)
    return failure(status, message, { ...details, retryAfterSeconds: wait, headers })
  },
  'guardrail-blocked': ({ guardrail, category, message }) =>
    failure(400, message ?? `The guardrail '${guardrail}' has refused this request: ${category}.`, {
      code: 'guardrail_blocked',
    }),
  'guardrail-failed': ({ guardrail }) =>
    failure(503, `The guardrail '${guardrail}' could not check this request.`, {
      type: 'server_error',
      code: 'guardrail_unavailable',
      retryAfterSeconds: 1,
    }),
  'guardrail-unchecked': () =>
    failure(400, 'The guardrails of this gateway cannot read what this operation carries, so it is refused.', {
      code: 'guardrail_unchecked',
    }),
  'image-model-absent': () => failure(404, 'There is no image model.', { param: 'model', code: 'model_not_found' }),
  'image-store-absent': () =>
    failure(400, "This gateway stores no images. Use the response_format 'b64_json'.", {
      param: 'response_format',
      code: 'unsupported_value',
    }),
  'response-not-found': ({ id }) => failure(404, `Response with id '${id}' not found.`, { param: 'response_id' }),
  'response-not-in-background': ({ id }) =>
    failure(400, `The response '${id}' was not created with 'background', so it cannot be cancelled.`, {
      param: 'response_id',
      code: 'response_not_in_background',
    }),
  'response-not-streamable': ({ id }) =>
    failure(400, `The response '${id}' was not created with 'background', so it cannot be streamed.`, {
      param: 'stream',
      code: 'response_not_in_background',
    }),
  'response-events-unavailable': ({ id }) =>
    failure(
      409,
      `The response '${id}' is still running, and its events are not available here. Read it without 'stream'.`,
      {
        param: 'stream',
        code: 'response_events_unavailable',
      },
    ),
  'conversation-not-found': ({ id }) =>
    failure(404, `Conversation with id '${id}' not found.`, {
      param: 'conversation_id',
      code: 'conversation_not_found',
    }),
  'conversations-not-stored': ({ param }) =>
    failure(400, 'This gateway stores no conversations.', { param, code: 'conversations_not_stored' }),
  'conversation-item-not-found': ({ id, conversationId }) =>
    failure(404, `There is no item '${id}' in the conversation '${conversationId}'.`, {
      param: 'item_id',
      code: 'conversation_item_not_found',
    }),
  'conversation-full': ({ id }) =>
    failure(400, `The conversation '${id}' would have more items or bytes than it may have.`, {
      param: 'items',
      code: 'conversation_full',
    }),
  'previous-response-not-found': ({ id }) =>
    failure(400, `Previous response with id '${id}' not found.`, {
      param: 'previous_response_id',
      code: 'previous_response_not_found',
    }),
  'previous-response-unfinished': ({ id, status }) =>
    failure(400, `The response '${id}' is ${status.replace('_', ' ')}, so it cannot be continued.`, {
      param: 'previous_response_id',
      code: 'previous_response_unfinished',
    }),
  'context-conversation-not-found': ({ id }) =>
    failure(404, `Conversation with id '${id}' not found.`, { param: 'conversation', code: 'conversation_not_found' }),
  'context-ambiguous': () =>
    failure(400, "Only one of 'previous_response_id' and 'conversation' can be used.", {
      param: 'previous_response_id',
      code: 'mutually_exclusive_parameters',
    }),
  'context-too-long': ({ param }) => failure(400, tooLong[param], { param, code: 'context_length_exceeded' }),
  'item-not-found': ({ id, param }) =>
    failure(400, `Item with id '${id}' not found.`, { param, code: 'item_not_found' }),
  'background-unsupported': ({ param }) =>
    failure(400, unsupportedBackground[param], { param, code: 'unsupported_parameter' }),
  'background-exhausted': ({ limit }) =>
    failure(429, `More than ${limit} responses would run in the background.`, {
      type: 'requests',
      code: 'too_many_background_responses',
      retryAfterSeconds: 5,
    }),
  'endpoint-model-absent': ({ endpoint }) =>
    failure(400, `This gateway has no default model for ${endpoints[endpoint].purpose}. Name one in 'model'.`, {
      param: 'model',
      code: 'model_required',
    }),
  'provider-unsupported': ({ provider, endpoint }) =>
    failure(400, `There is no provider '${provider}' with ${endpoints[endpoint].purpose}.`, {
      param: 'x-trivium-provider',
      code: 'provider_not_found',
    }),
  'provider-unnamed': ({ endpoint, providers }) =>
    failure(400, providerUnnamed(endpoints[endpoint].purpose, providers), {
      param: 'x-trivium-provider',
      code: 'provider_required',
    }),
  'search-engine-unknown': ({ engine, engines }) =>
    failure(400, engines.length === 0 ? 'This gateway has no search engine.' : noEngine(engine, engines), {
      param: 'engine',
      code: 'unknown_search_engine',
    }),
  'search-type-unsupported': ({ engine, searchType }) =>
    failure(400, `The search engine '${engine}' does not search for ${searchType}.`, {
      param: 'type',
      code: 'unsupported_search_type',
    }),
  'search-failed': ({ error }) =>
    failure(wireStatus(searchStatusOf(error)), error.message, {
      type: error.type === 'rate-limited' ? 'rate_limit_error' : 'server_error',
      code: `search_${error.type.replaceAll('-', '_')}`,
      retryAfterSeconds: 'retryAfterSeconds' in error ? error.retryAfterSeconds : undefined,
    }),
}

/** Translates an error of a service to a response. */
export function toFailure(error: GatewayError): Failure {
  // Each entry of the table takes the errors of its type.
  const translate = translations[error.type] as (error: GatewayError) => Failure
  return translate(error)
}

/**
 * Translates an error to a response for a client of messages, which knows the status of an overloaded service and the
 * words of a full context.
 */
export function toMessageFailure(error: GatewayError): UnformedFailure {
  const failed = toFailure(error)
  if (error.type !== 'upstream-failed') return failed
  const { message } = failed.body.error
  const body = { error: { ...failed.body.error, message: messageWordsOf(error.error, message) } }
  const details = messageDetailsOf(error.error)
  return { ...failed, body, details, ...(isOverloaded(error.error) ? { status: OVERLOADED } : {}) }
}

/** What makes a request cheaper. */
function cheaper(operation: UsageRecord['operation'] | undefined, param: string | null): string {
  if (operation === 'image') return "Lower 'n', or choose a lower 'quality', a smaller 'size' or another model."
  if (operation === 'audio') return "Shorten 'input', or choose another model."
  return `${param === null ? 'Shorten' : `Lower '${param}' or shorten`} the input.`
}

/** Tools of an upstream have a bound where the request limits their calls. */
const unboundedAdvice = (param: string): string =>
  param.startsWith('tools') ? " Some tools can be used with 'max_tool_calls' or 'max_uses'." : ''

const providerUnnamed = (purpose: string, providers: readonly string[]): string =>
  providers.length === 0
    ? `No provider of this gateway has ${purpose}.`
    : `Several providers have ${purpose}. Name one of them in the header 'x-trivium-provider': ${providers.join(', ')}.`

const noEngine = (engine: string, engines: readonly string[]): string =>
  `There is no search engine '${engine}'. Use one of: ${engines.join(', ')}.`

const modelNotFound = (model: string, candidates: readonly string[]): string =>
  candidates.length > 0
    ? `Several providers have a model '${model}'. Use one of: ${candidates.join(', ')}.`
    : `The model '${model}' does not exist or you do not have access to it.`

const wireStatuses: ReadonlySet<number> = new Set([400, 404, 408, 409, 413, 422, 429, 502, 503, 504])

/** A disconnected client does not read its response, so it gets one of the declared statuses. */
function wireStatus(status: number): FailureStatus {
  if (status === CLIENT_DISCONNECTED) return 408
  return wireStatuses.has(status) ? (status as FailureStatus) : 502 // the set contains only declared statuses
}

const tooLong = {
  previous_response_id: 'The responses before this one have more turns, items or bytes than the gateway puts together.',
  conversation: 'The conversation has more items or bytes than the gateway puts together.',
  input: 'The input is too large to be stored, which a response in the background needs.',
} as const

const unsupportedBackground = {
  background: "This gateway stores no responses, so 'background' is not supported.",
  store: "A response in the background is stored, so 'store' cannot be false.",
} as const
