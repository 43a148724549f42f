import type { ApiKey, ApiKeyHash, ApiKeyId } from '../../api-keys/api-key.ts'
import type { GroupId } from '../../groups/group.ts'
import type { Nanodollars } from '../../money/dollars.ts'
import { type ProviderErrorInit, toProviderError } from '../../providers/provider-error.ts'
import type { GatewayError } from './to-failure.ts'

export interface ErrorNote {
  readonly when: string
  readonly remedy: string
}

interface NoteOf<Outcome> extends ErrorNote {
  /** `{name}` stands for a value that differs between requests. */
  readonly example: Outcome
}

type Outcome<Type extends GatewayError['type']> = Extract<GatewayError, { readonly type: Type }>

type Notes = {
  readonly [Type in GatewayError['type']]?: NoteOf<Outcome<Type>> | readonly NoteOf<Outcome<Type>>[]
}

const KEY_ID = '{key_id}' as ApiKeyId // a placeholder

const resetsAt = new Date('2026-01-03T00:00:00Z')

const key: ApiKey = {
  id: KEY_ID,
  hash: '{hash}' as ApiKeyHash, // a placeholder
  hint: 'tvm_…',
  userId: '{user_id}',
  username: '{username}',
  rateLimit: 10,
  budget: {},
  policy: {},
  createdAt: new Date(0),
  expiresAt: new Date('2030-01-01T00:00:00Z'),
  usageCount: 0,
}

const GROUP_ID = '{id}' as GroupId // a placeholder

const state = { limit: 10, remaining: 0, resetAt: new Date(60_000) }

const upstream = (init: ProviderErrorInit, when: string, remedy: string): NoteOf<Outcome<'upstream-failed'>> => ({
  example: { type: 'upstream-failed', provider: '{provider}', error: toProviderError(init) },
  when,
  remedy,
})

const search = (
  error: Outcome<'search-failed'>['error'],
  when: string,
  remedy: string,
): NoteOf<Outcome<'search-failed'>> => ({ example: { type: 'search-failed', engine: '{engine}', error }, when, remedy })

const UPSTREAM_MESSAGE = '{message of the upstream}'
const PROVIDER_MESSAGE = '{message of the provider}'
const ENGINE_MESSAGE = '{message of the engine}'

const notes = {
  'Keys and access': {
    'api-key-malformed': {
      example: { type: 'api-key-malformed' },
      when: "The Bearer token does not have the form of a key, and is not the admin's password.",
      remedy: 'Send the whole key, including its prefix `tvm_`.',
    },
    'api-key-unknown': {
      example: { type: 'api-key-unknown' },
      when: 'No key has this secret, because the key was rotated or belongs to another server.',
      remedy: 'Ask the admin for a key of this server.',
    },
    'api-key-revoked': {
      example: { type: 'api-key-revoked', key },
      when: 'The admin has revoked the key.',
      remedy: 'Ask the admin for another key. A revoked key cannot be restored.',
    },
    'api-key-expired': {
      example: { type: 'api-key-expired', key },
      when: 'The key has expired.',
      remedy: 'Ask the admin for another key.',
    },
    'api-key-disabled': [
      {
        example: { type: 'api-key-disabled', key, holder: 'key' },
        when: 'The admin has disabled the key.',
        remedy: 'Ask the admin to enable it: `"disabled": false`.',
      },
      {
        example: { type: 'api-key-disabled', key, holder: 'team' },
        when: 'The admin has disabled the team of the key.',
        remedy: 'Ask the admin to enable the team: `"disabled": false`.',
      },
      {
        example: { type: 'api-key-disabled', key, holder: 'user' },
        when: 'The admin has disabled the user of the key.',
        remedy: 'Ask the admin to enable the user: `"disabled": false`.',
      },
    ],
    'api-key-team-absent': {
      example: { type: 'api-key-team-absent', key },
      when: 'The team of the key was deleted while the key was issued or moved to it.',
      remedy: 'Ask the admin to move the key to another team, or to none: `"team_id": null`.',
    },
    'endpoint-not-allowed': {
      example: { type: 'endpoint-not-allowed', holder: 'key', endpoint: '{endpoint}' },
      when: 'The `endpoints` of the key, its team or its user do not name the operation.',
      remedy: 'Ask the admin to add the operation.',
    },
    'address-not-allowed': {
      example: { type: 'address-not-allowed', holder: 'key' },
      when: 'The `ip_ranges` of the key, its team or its user do not contain the address of the client, or the host behind a proxy does not name the proxy as trusted.',
      remedy: 'Ask the admin to add the address, or to configure the proxy.',
    },
    'model-not-allowed': {
      example: { type: 'model-not-allowed', model: '{model}', holder: 'key' },
      when: 'The `models` of the key, its team or its user do not match the model, or their `denied_models` do.',
      remedy: 'List the models that can be used: `GET /v1/models`.',
    },
    'team-not-found': {
      example: { type: 'team-not-found', id: GROUP_ID },
      when: 'A key is issued for, or moved to, a team that does not exist.',
      remedy: 'List the teams: `GET /v1/teams`.',
    },
    'not-in-team': [
      {
        example: { type: 'not-in-team', param: 'team_id' },
        when: 'The key of an owner of a team names another team.',
        remedy: 'Omit `team_id`, or use the password of the admin.',
      },
      {
        example: { type: 'not-in-team', param: 'username' },
        when: 'The key of an owner of a team issues a key for a user of the gateway who has no key of the team.',
        remedy: 'Ask the admin for the first key of that user.',
      },
    ],
    'group-not-found': [
      {
        example: { type: 'group-not-found', kind: 'team', id: GROUP_ID },
        when: 'The operation names the id of a team that does not exist.',
        remedy: 'List the teams: `GET /v1/teams`.',
      },
      {
        example: { type: 'group-not-found', kind: 'user', id: GROUP_ID },
        when: 'The operation names the id of a user that does not exist.',
        remedy: 'List the users: `GET /v1/users`.',
      },
    ],
    'group-taken': [
      {
        example: { type: 'group-taken', kind: 'team', name: '{name}' },
        when: 'Another team has the name.',
        remedy: 'Choose another name.',
      },
      {
        example: { type: 'group-taken', kind: 'user', name: '{name}' },
        when: 'The user exists.',
        remedy: 'Change the user: `PATCH /v1/users/{user_id}`.',
      },
    ],
    'group-in-use': [
      {
        example: { type: 'group-in-use', kind: 'team', id: GROUP_ID },
        when: 'A team is deleted while it has keys that are neither revoked nor expired, which would lose its limits.',
        remedy: 'Revoke the keys, or move them to another team, or disable the team.',
      },
      {
        example: { type: 'group-in-use', kind: 'user', id: GROUP_ID },
        when: 'A user is deleted while it has keys that are neither revoked nor expired, which would lose its limits.',
        remedy: 'Revoke the keys, or disable the user.',
      },
    ],
    'team-full': {
      example: { type: 'team-full', id: GROUP_ID, most: 1000 },
      when: 'A key is issued for, or moved to, a team that has `apiKeys: { maxTeamKeys }` usable keys, or ten times as many with those that are revoked or expired.',
      remedy: 'Revoke keys that are not used, or raise `maxTeamKeys`.',
    },
    'groups-not-stored': {
      example: { type: 'groups-not-stored' },
      when: 'The repositories of the host have no `groups`.',
      remedy: 'The host: add a repository of groups.',
    },
    'api-key-not-found': {
      example: { type: 'api-key-not-found', id: KEY_ID },
      when: 'The operation names the id of a key that does not exist.',
      remedy: 'List the keys: `GET /v1/auth/keys`.',
    },
    'api-key-name-taken': {
      example: { type: 'api-key-name-taken', username: '{username}', name: '{name}' },
      when: 'The name of a new or changed key belongs to another key of the same user that is not revoked.',
      remedy: 'Choose another name, or revoke the other key.',
    },
    'usage-not-shown': {
      example: { type: 'usage-not-shown' },
      when: 'A rule of the host opens usage to all, and so reads no credentials, or returns an anonymous caller.',
      remedy: 'The host: give `getUsage` a rule that identifies callers, such as `default`.',
    },
    'usage-too-large': {
      example: { type: 'usage-too-large' },
      when: 'A report selects the largest of more than 100,000 groups, or reads more than 2,000,000 single records by end user.',
      remedy: 'Select a shorter period, one key, or fewer groupings.',
    },
    'api-key-not-active': {
      example: { type: 'api-key-not-active', id: KEY_ID },
      when: 'The key to rotate is revoked.',
      remedy: 'Create a new key.',
    },
  },
  Guardrails: {
    'guardrail-blocked': {
      example: { type: 'guardrail-blocked', guardrail: '{guardrail}', category: '{category}' },
      when: 'A guardrail of the host has found something in the request that it refuses. No upstream got it. A host may word the message.',
      remedy: 'Remove what the category names, such as a `secret`, from the request.',
    },
    'guardrail-failed': {
      example: { type: 'guardrail-failed', guardrail: '{guardrail}' },
      when: 'A guardrail has failed or not answered in time, such as because its moderation model is unavailable.',
      remedy: 'Repeat the request. The host: `guardrail.failed` reports it, and `onFailure` decides what happens.',
    },
    'guardrail-unchecked': {
      example: { type: 'guardrail-unchecked' },
      when: 'A realtime session, an upload, a batch or a text as numbers of tokens, which guardrails cannot read.',
      remedy: 'Send texts by an operation that is checked. The host: `uncheckedRequests: "admit"` allows it.',
    },
  },
  'Responses and conversations': {
    'response-not-found': {
      example: { type: 'response-not-found', id: '{response_id}' },
      when: 'The response does not exist, was created by another caller, was not stored, or has expired.',
      remedy: 'Create the response again, without `"store": false`.',
    },
    'response-not-in-background': {
      example: { type: 'response-not-in-background', id: '{response_id}' },
      when: 'A response is cancelled that was not created with `"background": true`.',
      remedy: 'Close the connection of the request instead.',
    },
    'response-not-streamable': {
      example: { type: 'response-not-streamable', id: '{response_id}' },
      when: 'A response is read with `stream=true` that was not created with `"background": true`.',
      remedy: 'Read it without `stream`.',
    },
    'response-events-unavailable': {
      example: { type: 'response-events-unavailable', id: '{response_id}' },
      when: 'A response is read with `stream=true` while it runs in another process, was created without `"stream": true`, or has more events than its process keeps.',
      remedy: 'Read it without `stream` until it has ended.',
    },
    'conversation-not-found': {
      example: { type: 'conversation-not-found', id: '{conversation_id}' },
      when: 'The conversation does not exist, was created by another caller, or has expired.',
      remedy: 'Create another conversation.',
    },
    'conversations-not-stored': {
      example: { type: 'conversations-not-stored', param: null },
      when: 'The host stores no conversations (`responses: false`).',
      remedy: 'Send the whole conversation as `input`.',
    },
    'conversation-item-not-found': {
      example: { type: 'conversation-item-not-found', id: '{item_id}', conversationId: '{conversation_id}' },
      when: 'The conversation has no item with this id.',
      remedy: 'List the items of the conversation.',
    },
    'conversation-full': {
      example: { type: 'conversation-full', id: '{conversation_id}' },
      when: 'The conversation would have more than 10,000 items or 8 MiB, unless the host sets other limits.',
      remedy: 'Create another conversation, or delete items.',
    },
    'previous-response-not-found': {
      example: { type: 'previous-response-not-found', id: '{response_id}' },
      when: 'A response of `previous_response_id` or one before it does not exist, was created by another caller, was not stored, or has expired.',
      remedy: 'Send the whole conversation as `input`.',
    },
    'previous-response-unfinished': {
      example: { type: 'previous-response-unfinished', id: '{response_id}', status: 'in_progress' },
      when: 'The response still runs in the background, has failed, or was cancelled.',
      remedy: 'Wait until it is completed, or continue the response before it.',
    },
    'context-conversation-not-found': {
      example: { type: 'context-conversation-not-found', id: '{conversation_id}' },
      when: 'The `conversation` of a request does not exist, was created by another caller, or has expired.',
      remedy: 'Create another conversation.',
    },
    'context-ambiguous': {
      example: { type: 'context-ambiguous' },
      when: 'A request has `previous_response_id` and `conversation`.',
      remedy: 'Leave one of them out.',
    },
    'context-too-long': [
      {
        example: { type: 'context-too-long', param: 'previous_response_id' },
        when: 'The responses before this one have more than 1,000 turns, 10,000 items or 8 MiB, unless the host sets other limits.',
        remedy: 'Begin again with a summary of the conversation as `input`.',
      },
      {
        example: { type: 'context-too-long', param: 'conversation' },
        when: 'The conversation has more than 10,000 items or 8 MiB, unless the host sets other limits.',
        remedy: 'Create another conversation with a summary of this one.',
      },
      {
        example: { type: 'context-too-long', param: 'input' },
        when: 'The request of a response in the background is larger than the host stores.',
        remedy: 'Shorten the input, or leave `background` out.',
      },
    ],
    'item-not-found': {
      example: { type: 'item-not-found', id: '{item_id}', param: 'input[0]' },
      when: 'An `item_reference` names an item of a response that does not exist, was created by another caller, was not stored, or has expired.',
      remedy: 'Send the item itself.',
    },
    'background-unsupported': [
      {
        example: { type: 'background-unsupported', param: 'background' },
        when: 'The host stores no responses.',
        remedy: 'Leave `background` out.',
      },
      {
        example: { type: 'background-unsupported', param: 'store' },
        when: 'A request has `"background": true` and `"store": false`.',
        remedy: 'Leave one of them out.',
      },
    ],
    'background-exhausted': {
      example: { type: 'background-exhausted', limit: 10 },
      when: 'The caller, or all callers together, run as many responses in the background as the host allows: 10 and 100 by default.',
      remedy: 'Wait until some of them have ended.',
    },
  },
  Limits: {
    'too-many-sessions': {
      example: { type: 'too-many-sessions', limit: 20 },
      when: 'The key has as many open realtime sessions in this process as `realtime.maxSessionsPerCaller` allows.',
      remedy: 'Close sessions that are no longer used.',
    },
    'rate-limited': [
      {
        example: { type: 'rate-limited', holder: 'key', state, retryAfterMs: 12_000 },
        when: 'The key has reached its limit of requests in the last 60 seconds.',
        remedy: 'Wait for the time in `Retry-After`. Refused requests do not count.',
      },
      {
        example: { type: 'rate-limited', holder: 'team', state, retryAfterMs: 12_000 },
        when: 'The keys of the team have together reached its limit of requests in the last 60 seconds.',
        remedy: 'Wait for the time in `Retry-After`.',
      },
      {
        example: { type: 'rate-limited', holder: 'user', state, retryAfterMs: 12_000 },
        when: 'The keys of the user have together reached its limit of requests in the last 60 seconds.',
        remedy: 'Wait for the time in `Retry-After`.',
      },
    ],
    'too-many-reports': {
      example: { type: 'too-many-reports' },
      when: 'Ten reports of usage of the key, the user or the admin run or wait, or 200 of all callers wait.',
      remedy: 'Read one report after the other.',
    },
    'too-many-refused': {
      example: { type: 'too-many-refused', limit: 60, retryAfterMs: 12_000 },
      when: 'The key has sent too many invalid requests within a minute: 60, or its rate limit where that is more.',
      remedy: 'Correct the request, and wait for the time in `Retry-After`.',
    },
    'too-many-bodies': [
      {
        example: { type: 'too-many-bodies', of: 'account', limitMegabytes: 128 },
        when: 'The bodies of at least 64 KiB that the key is sending to this process are together larger than the limit.',
        remedy: 'Send fewer large requests at the same time.',
      },
      {
        example: { type: 'too-many-bodies', of: 'process', limitMegabytes: 512 },
        when: 'The bodies of at least 64 KiB that all keys are sending to this process are together larger than the limit.',
        remedy: 'Send the request again after a second. The operator adds replicas, or lowers `chatBodyLimit`.',
      },
    ],
    'budget-exceeded': [
      {
        example: {
          type: 'budget-exceeded',
          holder: 'key',
          window: 'minute',
          limit: 10_000,
          retryAfterSeconds: 12,
          resetsAt,
        },
        when: 'The tokens that the request may use, together with those used and reserved, exceed the budget of the key for a minute.',
        remedy: 'Wait for the time in `Retry-After`, or request fewer tokens (`max_tokens`).',
      },
      {
        example: {
          type: 'budget-exceeded',
          holder: 'key',
          window: 'day',
          limit: 1_000_000,
          retryAfterSeconds: 3600,
          resetsAt,
        },
        when: 'The tokens exceed the budget of the key for a day, which begins at midnight UTC.',
        remedy:
          'Wait for the time in `x-trivium-budget-reset`, or ask the admin to raise the budget: `PATCH /v1/auth/keys/{key_id}`.',
      },
    ],
    'spend-exceeded': [
      {
        example: {
          type: 'spend-exceeded',
          holder: 'key',
          period: 'day',
          limit: 25_000_000_000 as Nanodollars, // a whole number
          left: 120_000_000 as Nanodollars, // likewise
          cost: 300_000_000 as Nanodollars, // likewise
          retryAfterSeconds: 3600,
          resetsAt,
        },
        when: 'The most that the request can cost, together with what the key has spent and what its running requests can cost, exceeds its budget. Instead of the key, it can be its team or its user.',
        remedy:
          'Limit the output (`max_completion_tokens`), wait for running requests to end, or for the time in `x-trivium-budget-reset`, or ask the admin to raise `max_budget`. Official clients do not repeat the request (`x-should-retry: false`). For messages the type is `billing_error`.',
      },
    ],
    'cost-exceeds-limit': {
      example: {
        type: 'cost-exceeds-limit',
        holder: 'team',
        period: 'month',
        limit: 1_000_000_000 as Nanodollars, // a whole number
        cost: 1_500_000_000 as Nanodollars, // likewise
        param: 'max_tokens',
      },
      when: 'The most that the request can cost is above the whole budget, so waiting does not help.',
      remedy:
        'Lower the named field, or shorten the input. For images, the message names `n`, `quality`, `size` and the model, for speech `input` and the model.',
    },
    'model-not-priced': {
      example: { type: 'model-not-priced', model: '{model}' },
      when: 'The caller, its team or its user has a budget of money, and the price of the model, or of one that its route leads to, is not known.',
      remedy: 'Ask the admin to set a price: `prices` of the host, 0 for a model of your own.',
    },
    'cost-unbounded': [
      {
        example: { type: 'cost-unbounded' },
        when: 'A caller with a budget of money opens a realtime session, or sends audio, whose cost is known only afterwards.',
        remedy: 'Use a key without a budget of money.',
      },
      {
        example: { type: 'cost-unbounded', param: 'messages[0].content[1]' },
        when: 'The request has content whose size it does not show, for a model whose context is not known, or has the upstream do what no bound is known of. `param` names the field.',
        remedy:
          'Leave the field out, limit the calls of tools with `max_tool_calls` or `max_uses`, or ask the admin to set the `contextLength` of the model in `modelFacts`.',
      },
    ],
    'parallel-exceeded': {
      example: { type: 'parallel-exceeded', holder: 'key', limit: 5 },
      when: 'The key, its team or its user has as many running requests as `max_parallel_requests` allows. Those of a killed process count for up to 11 minutes.',
      remedy: 'Wait until one of them has ended. The host can let requests wait: `budgets: { waitSeconds }`.',
    },
    'tokens-exceed-limit': {
      example: { type: 'tokens-exceed-limit', window: 'minute', limit: 10_000, tokens: 12_000, param: 'max_tokens' },
      when: 'The estimated input and the limit of output tokens (`max_tokens`, `max_completion_tokens`, `max_output_tokens`, or `defaultOutputTokens` of the host) are together more than a whole minute or day allows, so waiting does not help. `param` names the field of the interface.',
      remedy: 'Set a lower limit of output tokens, shorten the input, or ask the admin to raise the budget.',
    },
    'limits-unavailable': {
      example: { type: 'limits-unavailable' },
      when: 'The store of the limits is unavailable, and the host has configured refusal (`onStoreFailure`).',
      remedy: 'Send the request again after a second. The operator checks `/health`.',
    },
  },
  'Models and images': {
    'model-not-found': [
      {
        example: { type: 'model-not-found', model: '{model}', candidates: [] },
        when: 'No provider has the model, or its provider does not list it now.',
        remedy: 'Use an id from `GET /v1/models`.',
      },
      {
        example: { type: 'model-not-found', model: '{model}', candidates: ['{provider}/{model}', '{other}/{model}'] },
        when: 'Several providers have a model with this id.',
        remedy: 'Put the id of the provider and a slash before it.',
      },
    ],
    'model-kind-mismatch': [
      {
        example: { type: 'model-kind-mismatch', model: '{model}', kind: 'image' },
        when: 'A chat request names an image model.',
        remedy: 'Send it to `/v1/images/generations`, or use a chat model.',
      },
      {
        example: { type: 'model-kind-mismatch', model: '{model}', kind: 'chat' },
        when: 'An image request names a chat model.',
        remedy: 'Use a model from `GET /v1/TTI/models`.',
      },
    ],
    'image-model-absent': {
      example: { type: 'image-model-absent' },
      when: 'The request names no model, and no provider has an image model.',
      remedy: 'The operator adds a provider with an image model.',
    },
    'endpoint-model-absent': {
      example: { type: 'endpoint-model-absent', endpoint: 'moderations' },
      when: 'The request names no model, and the gateway has no default for its endpoint.',
      remedy: 'Name a model. The operator sets `endpoints.defaultModels`.',
    },
    'provider-unsupported': {
      example: { type: 'provider-unsupported', provider: '{provider}', endpoint: 'files' },
      when: 'The header `x-trivium-provider` names a provider that does not exist or does not support the endpoint.',
      remedy: 'Name another provider.',
    },
    'provider-unnamed': [
      {
        example: { type: 'provider-unnamed', endpoint: 'files', providers: ['{provider}', '{other}'] },
        when: 'The request names no provider, and several support the endpoint.',
        remedy: 'Send the header `x-trivium-provider` with the id of one of them.',
      },
      {
        example: { type: 'provider-unnamed', endpoint: 'batches', providers: [] },
        when: 'No provider supports the endpoint.',
        remedy: 'The operator adds a provider with the endpoint.',
      },
    ],
    'image-store-absent': {
      example: { type: 'image-store-absent' },
      when: 'The request asks for URLs, but the gateway has no `imageStore`.',
      remedy: 'Use the `response_format` `b64_json`.',
    },
  },
  Upstreams: {
    'upstream-failed': [
      upstream(
        { type: 'refused', status: 400, message: UPSTREAM_MESSAGE },
        "The upstream refuses the request. 404, 408, 409, 413 and 422 are passed on in the same way. `type`, `code` and `param` are the upstream's where it sends them.",
        'Correct the request as the message states.',
      ),
      upstream(
        { type: 'refused', status: 429, message: UPSTREAM_MESSAGE },
        "The upstream's own limit is exceeded, and retries and fallbacks failed as well.",
        'Wait for the time in `Retry-After`. The operator can add a fallback.',
      ),
      upstream(
        { type: 'refused', status: 401, message: UPSTREAM_MESSAGE },
        "The upstream refuses the gateway's credentials, account or address (401, 402, 403, 407).",
        "A client cannot fix this. The operator checks the provider's key.",
      ),
      upstream(
        { type: 'refused', status: 500, message: UPSTREAM_MESSAGE },
        "The upstream has failed (any 5xx but 503 and 529). `code` is the upstream's where it sends one.",
        'Send the request again.',
      ),
      upstream(
        { type: 'refused', status: 529, message: UPSTREAM_MESSAGE },
        'The upstream is overloaded or unavailable (503, 529). Clients of messages get 529 with the type `overloaded_error` for a 529.',
        'Wait for the time in `Retry-After`.',
      ),
      upstream(
        { type: 'unsupported', param: '{param}', message: '{message of the provider}' },
        'The provider does not support the parameter, and leaving it out would change the answer.',
        'Leave the parameter out, or use a model of another provider.',
      ),
      upstream(
        { type: 'unreachable', message: PROVIDER_MESSAGE },
        'The gateway cannot connect to the upstream.',
        'Send the request again. The operator checks `/health`.',
      ),
      upstream(
        { type: 'unreachable', message: PROVIDER_MESSAGE, retryAfterSeconds: 30 },
        'The upstream has failed several times in a row, and is not called for some seconds.',
        'Wait for the time in `Retry-After`.',
      ),
      upstream(
        { type: 'timed-out', phase: 'first-byte', message: PROVIDER_MESSAGE },
        'The connection, the start, the next part or the end of the answer took longer than its timeout, or the answer took longer than the `timeout` of the request.',
        'Send the request again with a longer `timeout`, or stream the answer.',
      ),
      upstream(
        { type: 'interrupted', message: PROVIDER_MESSAGE },
        'The connection to the upstream was lost. In a stream, the error is the last event.',
        'Send the request again. The answer is incomplete.',
      ),
      upstream(
        { type: 'malformed', message: PROVIDER_MESSAGE },
        "The answer does not follow the upstream's protocol.",
        "The operator checks the provider's `baseUrl`.",
      ),
      upstream(
        { type: 'cancelled', message: PROVIDER_MESSAGE },
        'The client has disconnected and does not receive this error. Usage counts the request with the status 499.',
        'None.',
      ),
    ],
  },
  Search: {
    'search-engine-unknown': [
      {
        example: { type: 'search-engine-unknown', engine: '{engine}', engines: ['duckduckgo', 'local'] },
        when: 'There is no engine with this id.',
        remedy: 'Use an engine that the message lists, or leave `engine` out.',
      },
      {
        example: { type: 'search-engine-unknown', engine: '', engines: [] },
        when: 'The gateway has no search engine.',
        remedy: 'The operator adds `searchEngines`.',
      },
    ],
    'search-type-unsupported': {
      example: { type: 'search-type-unsupported', engine: '{engine}', searchType: 'news' },
      when: 'The engine does not support this type.',
      remedy: 'Use another engine.',
    },
    'search-failed': [
      search(
        { type: 'blocked', message: ENGINE_MESSAGE, retryAfterSeconds: 60 },
        'The engine blocks the server as a robot.',
        'Wait for the time in `Retry-After`, or use another engine.',
      ),
      search(
        { type: 'rate-limited', message: ENGINE_MESSAGE, retryAfterSeconds: 60 },
        "The engine's own limit is exceeded.",
        'Wait for the time in `Retry-After`.',
      ),
      search(
        { type: 'unavailable', message: ENGINE_MESSAGE },
        'The gateway cannot connect to the engine, or the answer is malformed.',
        'Send the request again, or use another engine.',
      ),
      search(
        { type: 'timed-out', message: ENGINE_MESSAGE },
        'The engine did not answer within its timeout.',
        'Send the request again, or use another engine.',
      ),
      search(
        { type: 'misconfigured', message: ENGINE_MESSAGE },
        'The engine refuses permanently, for example because of a wrong key or a format that its operator has not enabled.',
        "The operator checks the engine's key and settings.",
      ),
      search(
        { type: 'unsupported-type', searchType: 'images', message: ENGINE_MESSAGE },
        'The engine lists the type as supported, but refuses the search.',
        'Use another engine.',
      ),
      search(
        { type: 'cancelled', message: ENGINE_MESSAGE },
        'The client has disconnected and does not receive this error.',
        'None.',
      ),
    ],
  },
} satisfies Readonly<Record<string, Notes>>

type MissingNotes = Exclude<
  GatewayError['type'],
  { [Title in keyof typeof notes]: keyof (typeof notes)[Title] }[keyof typeof notes]
>

/** Describes the cause and the remedy of each error, in groups. The type does not compile if an error is missing. */
export const errorNotes: [MissingNotes] extends [never] ? typeof notes : MissingNotes = notes

/** Describes the errors that do not come from a service. */
export const answerNotes = {
  'Keys and access': {
    noKey: {
      when: 'The operation requires a key, but the request has none.',
      remedy: 'Send `Authorization: Bearer tvm_…` or `x-api-key: tvm_…`.',
    },
    unreadableCredentials: {
      when: 'The header `Authorization` is neither Bearer nor Basic, or it or `x-api-key` occurs twice.',
      remedy: 'Put the word `Bearer` before the key.',
    },
    noAdmin: {
      when: 'The operation requires the admin, but the request has no credentials.',
      remedy: "Send the admin's password: `curl -u admin:…`.",
    },
    wrongAdmin: {
      when: "The admin's name or password is wrong.",
      remedy: 'Use the password that the host has set. The reference server stores it in its data directory.',
    },
    foreignOrigin: {
      when: 'A browser sent HTTP Basic from a page of another origin.',
      remedy: 'Send a Bearer token from that page.',
    },
    tooManyPasswords: {
      when: '5 wrong admin passwords came from this address, or too many from all addresses. The presented password is not checked.',
      remedy:
        'Wait for the seconds in `Retry-After`, then send the right password. From another address, it is accepted immediately.',
    },
    notPermitted: {
      when: "The host has admitted a user who is not allowed to call this operation, because it is the admin's or not among the scopes of the user.",
      remedy: 'Ask the operator of the host for the right to call it.',
    },
    keyForAdmin: {
      when: 'The operation requires the admin, but the request has a key.',
      remedy: "Use the admin's credentials.",
    },
    keyRequired: {
      when: 'A client secret is requested without an API key, such as by the admin or a user of the host.',
      remedy: 'Send an API key.',
    },
    usageOfAnother: {
      when: 'A key requests the usage of another key.',
      remedy: "Leave `key_id` out, or use the admin's credentials.",
    },
    refusedByHost: {
      when: "The host's own rule (`authorize`) refuses this request. The example has a rule for `/search`.",
      remedy: 'Send the credentials that the host requires.',
    },
  },
  'The request itself': {
    missingField: { when: 'A required field is missing. `param` names it.', remedy: 'Add the field.' },
    invalidType: {
      when: 'A field has a wrong type. `param` names it.',
      remedy: 'Correct the field as the message states.',
    },
    outOfBounds: {
      when: 'A field is out of its bounds. `param` names it.',
      remedy: 'Correct the field as the message states.',
    },
    unknownField: {
      when: 'A field or parameter of an administrative request does not exist. `param` names it. Chat requests may have any fields.',
      remedy: 'Write its name as in the OpenAPI document, or leave it out.',
    },
    invertedSpan: {
      when: 'The period of a usage report ends before it begins.',
      remedy: 'Exchange `from` and `to`.',
    },
    sessionTooLarge: {
      when: 'The `session` of a client secret is longer than a token of a request may be.',
      remedy: 'Leave out long instructions and tools, and send them with `session.update` when the session is open.',
    },
    upgradeRequired: {
      when: 'A request to `/v1/realtime` is not an upgrade to a WebSocket, or the host or a proxy does not upgrade it.',
      remedy: 'Open it as a WebSocket. The operator mounts `gatewaySocketRoutes`.',
    },
    modelNotGranted: {
      when: 'A realtime session is opened with a client secret and with another model than that of its session.',
      remedy: 'Leave `model` out of the address, or create a client secret for the model.',
    },
    imageNotFound: {
      when: 'The image never existed or has expired.',
      remedy: 'Create the image again, and fetch it before it expires.',
    },
    requestNotFound: {
      when: 'The request log has no entry with this id: it is off, the request was not sampled, or its time has passed.',
      remedy: 'Take the id from `GET /v1/requests`.',
    },
    methodNotAllowed: {
      when: 'The path exists, but does not support the method.',
      remedy: 'Use a method from the message or the header `Allow`.',
    },
    formAbsent: {
      when: 'An upload is not a form. Edits of images may also be JSON.',
      remedy: 'Send a form with its boundary in `Content-Type`, as libraries for forms do.',
    },
    formWithoutModel: {
      when: 'The first 25 MiB of a form do not have the field `model`.',
      remedy: 'Send the field first, or `?model=` in the address.',
    },
    formMalformed: {
      when: 'The boundary, the headers of a part or the end of a form are not valid. The message states which.',
      remedy: 'Send the form with a library.',
    },
    formTooLarge: {
      when: 'A form has more than 100 parts, 16 KiB of headers in a part, or 1 MiB of fields that are not files.',
      remedy: 'Send fewer or shorter fields.',
    },
    malformed: { when: 'The body is not JSON.', remedy: 'Send valid JSON.' },
    tooManyValues: {
      when: 'The body has more than 10,000 values, or 30,000 for a chat. Lists, objects and their members count as one each.',
      remedy: 'Shorten the conversation or the schemas of its tools.',
    },
    tooLarge: {
      when: 'The body is larger than the limit of the operation, which is `chatBodyLimit` of the host for chats.',
      remedy: 'Shorten the conversation, or send smaller images.',
    },
  },
  'Responses and conversations': {
    eventsDropped: {
      when: 'The last event of a streamed response in the background, whose client reads more slowly than events are kept.',
      remedy: 'Read the response without `stream`.',
    },
  },
  'The server': {
    storeUnavailable: { when: 'The database is unavailable.', remedy: 'Send the request again after a second.' },
    closed: { when: 'The server is shutting down.', remedy: 'Send the request again after the restart.' },
    fault: {
      when: 'A fault in the gateway or in a part that the host provides.',
      remedy: "The operator searches the host's log (`onFault`) for the `x-request-id` of the answer.",
    },
  },
} satisfies Readonly<Record<string, Readonly<Record<string, ErrorNote>>>>
