import type { ApiKey, ApiKeyId } from '@trivium/gateway-core'
import { type ApiKeyHash, type ProviderErrorInit, toProviderError } from '@trivium/gateway-core/ports'
import type { GatewayError } from '../../packages/gateway-core/src/http/errors/refusals.ts'
import type { Told, ToldOutcomes } from './catalogue.ts'

type Outcome<Type extends GatewayError['type']> = Extract<GatewayError, { readonly type: Type }>

const id = '{key_id}' as ApiKeyId // it stands for one

const key: ApiKey = {
  id,
  hash: '{hash}' as ApiKeyHash, // it stands for one
  hint: 'tvm_…',
  userId: '{user_id}',
  username: '{username}',
  rateLimit: 10,
  budget: {},
  createdAt: new Date(0),
  expiresAt: new Date('2030-01-01T00:00:00Z'),
  usageCount: 0,
}

const state = { limit: 10, remaining: 0, resetAt: new Date(60_000) }

const upstream = (init: ProviderErrorInit, when: string, remedy: string): Told<Outcome<'upstream-failed'>> => ({
  outcome: { type: 'upstream-failed', provider: '{provider}', error: toProviderError(init) },
  when,
  remedy,
})

const search = (
  error: Outcome<'search-failed'>['error'],
  when: string,
  remedy: string,
): Told<Outcome<'search-failed'>> => ({ outcome: { type: 'search-failed', engine: '{engine}', error }, when, remedy })

const upstreamWords = "{the upstream's own words}"
const providerWords = "{the provider's own words}"
const engineWords = "{the engine's own words}"

const KEYS = 'Keys and access'
const LIMITS = 'Limits'
const MODELS = 'Models and images'
const UPSTREAMS = 'Upstreams'
const SEARCH = 'Search'

export const gatewayOutcomes: ToldOutcomes<GatewayError> = {
  'api-key-malformed': {
    group: KEYS,
    told: [
      {
        outcome: { type: 'api-key-malformed' },
        when: "The Bearer token is neither of the form of a key nor the admin's password.",
        remedy: 'Send the whole key, from `tvm_` on.',
      },
    ],
  },
  'api-key-unknown': {
    group: KEYS,
    told: [
      {
        outcome: { type: 'api-key-unknown' },
        when: 'No key has this secret: it was rotated away, or it is of another server.',
        remedy: 'Ask the admin for a key of this server.',
      },
    ],
  },
  'api-key-revoked': {
    group: KEYS,
    told: [
      {
        outcome: { type: 'api-key-revoked', key },
        when: 'The admin has revoked the key.',
        remedy: 'Ask for another; a revoked key never comes back.',
      },
    ],
  },
  'api-key-expired': {
    group: KEYS,
    told: [
      {
        outcome: { type: 'api-key-expired', key },
        when: 'The time that the key was made for is over.',
        remedy: 'Ask for another key.',
      },
    ],
  },
  'api-key-not-found': {
    group: KEYS,
    told: [
      {
        outcome: { type: 'api-key-not-found', id },
        when: 'An operation on a key names an id that no key has.',
        remedy: 'List the keys: `GET /v1/auth/keys`.',
      },
    ],
  },
  'api-key-name-taken': {
    group: KEYS,
    told: [
      {
        outcome: { type: 'api-key-name-taken', username: '{username}', name: '{name}' },
        when: 'A key is made or renamed, and another unrevoked key of the same user has the name.',
        remedy: 'Choose another name, or revoke the other key.',
      },
    ],
  },
  'api-key-not-active': {
    group: KEYS,
    told: [
      {
        outcome: { type: 'api-key-not-active', id },
        when: 'A revoked key is to be rotated.',
        remedy: 'Make a new key.',
      },
    ],
  },
  'rate-limited': {
    group: LIMITS,
    told: [
      {
        outcome: { type: 'rate-limited', state, retryAfterMs: 12_000 },
        when: 'As many requests as the key is allowed were admitted in the last 60 seconds.',
        remedy: 'Wait as long as `Retry-After` says; refused requests do not count.',
      },
    ],
  },
  'budget-exceeded': {
    group: LIMITS,
    told: [
      {
        outcome: { type: 'budget-exceeded', window: 'minute', limit: 10_000, retryAfterSeconds: 12 },
        when: 'The tokens that the request may cost, with those in use, exceed what the key has in a minute.',
        remedy: 'Wait as long as `Retry-After` says, or ask for fewer tokens (`max_tokens`).',
      },
      {
        outcome: { type: 'budget-exceeded', window: 'day', limit: 1_000_000, retryAfterSeconds: 3600 },
        when: 'The same, for the day, which begins at midnight UTC.',
        remedy: 'Wait for the next day, or have the budget raised: `PATCH /v1/auth/keys/{key_id}`.',
      },
    ],
  },
  'limits-unavailable': {
    group: LIMITS,
    told: [
      {
        outcome: { type: 'limits-unavailable' },
        when: 'The store of the limits is away, and the host refuses then (`onStoreFailure`).',
        remedy: 'Send it again after a second; the operator looks at `/health`.',
      },
    ],
  },
  'model-not-found': {
    group: MODELS,
    told: [
      {
        outcome: { type: 'model-not-found', model: '{model}', candidates: [] },
        when: 'No provider has the model, or the provider that has it does not tell at the moment.',
        remedy: 'Take an id of `GET /v1/models`.',
      },
      {
        outcome: { type: 'model-not-found', model: '{model}', candidates: ['{provider}/{model}', '{other}/{model}'] },
        when: 'A bare id that several providers have.',
        remedy: 'Write the provider before it.',
      },
    ],
  },
  'model-kind-mismatch': {
    group: MODELS,
    told: [
      {
        outcome: { type: 'model-kind-mismatch', model: '{model}', kind: 'image' },
        when: 'An image model is asked to chat.',
        remedy: 'Send it to `/v1/images/generations`, or choose a chat model.',
      },
      {
        outcome: { type: 'model-kind-mismatch', model: '{model}', kind: 'chat' },
        when: 'A chat model is asked for a picture.',
        remedy: 'Take a model of `GET /v1/TTI/models`.',
      },
    ],
  },
  'image-model-absent': {
    group: MODELS,
    told: [
      {
        outcome: { type: 'image-model-absent' },
        when: 'No model was named, and no provider has an image model.',
        remedy: 'The host adds a provider with one.',
      },
    ],
  },
  'image-store-absent': {
    group: MODELS,
    told: [
      {
        outcome: { type: 'image-store-absent' },
        when: 'An address is asked for, and the host gave no `imageStore`.',
        remedy: 'Ask for `b64_json`.',
      },
    ],
  },
  'upstream-failed': {
    group: UPSTREAMS,
    told: [
      upstream(
        { type: 'refused', status: 400, message: upstreamWords },
        "The upstream refuses the request. 404, 408, 409, 413 and 422 come through in the same way. `type`, `code` and `param` are the upstream's where it gives them.",
        'Mend the request as the message says.',
      ),
      upstream(
        { type: 'refused', status: 429, message: upstreamWords },
        'The upstream has a limit of its own, and retries and fallbacks did not help.',
        'Wait as long as `Retry-After` says; the operator may add a fallback.',
      ),
      upstream(
        { type: 'refused', status: 401, message: upstreamWords },
        "The upstream refuses the gateway's credentials, account or address (401, 402, 403, 407).",
        "Nothing that a client can mend: the operator looks at the provider's key.",
      ),
      upstream(
        { type: 'refused', status: 500, message: upstreamWords },
        "The upstream has an error of its own (any 5xx); `code` is the upstream's where it gives one.",
        'Send it again.',
      ),
      upstream(
        { type: 'unsupported', param: '{param}', message: "{what can't be done}" },
        'The provider has nothing that corresponds to the parameter, and leaving it out would change the answer.',
        'Leave the parameter out, or take a model of another provider.',
      ),
      upstream(
        { type: 'unreachable', message: providerWords },
        'There is no connection to the upstream.',
        'Send it again; the operator looks at `/health`.',
      ),
      upstream(
        { type: 'unreachable', message: providerWords, retryAfterSeconds: 30 },
        'The upstream has failed again and again, and is left alone for a while.',
        'Wait as long as `Retry-After` says.',
      ),
      upstream(
        { type: 'timed-out', phase: 'first-byte', message: providerWords },
        "The upstream did not connect, begin, go on or end in its time, or in the request's `timeout`.",
        'Send it again with a longer `timeout`, or stream the answer.',
      ),
      upstream(
        { type: 'interrupted', message: providerWords },
        'The connection to the upstream broke. In a stream it is the last event.',
        'Send it again; what came is incomplete.',
      ),
      upstream(
        { type: 'malformed', message: providerWords },
        "The answer is not what the upstream's protocol says.",
        "The operator looks at the provider's `baseUrl`.",
      ),
      upstream(
        { type: 'cancelled', message: providerWords },
        'The client left. Nobody reads this; usage counts it with status 499.',
        'None.',
      ),
    ],
  },
  'search-engine-unknown': {
    group: SEARCH,
    told: [
      {
        outcome: { type: 'search-engine-unknown', engine: '{engine}', engines: ['duckduckgo', 'local'] },
        when: 'The host has no engine of this name.',
        remedy: 'Take one that the message lists, or leave `engine` out.',
      },
      {
        outcome: { type: 'search-engine-unknown', engine: '', engines: [] },
        when: 'The host gave no engine.',
        remedy: 'The host adds `searchEngines`.',
      },
    ],
  },
  'search-type-unsupported': {
    group: SEARCH,
    told: [
      {
        outcome: { type: 'search-type-unsupported', engine: '{engine}', searchType: 'news' },
        when: 'The engine does not search for this type at all.',
        remedy: 'Ask another engine.',
      },
    ],
  },
  'search-failed': {
    group: SEARCH,
    told: [
      search(
        { type: 'blocked', message: engineWords, retryAfterSeconds: 60 },
        'The engine takes the server for a robot.',
        'Wait as long as `Retry-After` says, or ask another engine.',
      ),
      search(
        { type: 'rate-limited', message: engineWords, retryAfterSeconds: 60 },
        'The engine has a limit of its own.',
        'Wait as long as `Retry-After` says.',
      ),
      search(
        { type: 'unavailable', message: engineWords },
        'No connection to the engine, or an answer that makes no sense.',
        'Send it again, or ask another engine.',
      ),
      search(
        { type: 'timed-out', message: engineWords },
        'The engine did not answer in its time.',
        'Send it again, or ask another engine.',
      ),
      search(
        { type: 'misconfigured', message: engineWords },
        'The engine refuses for good: a bad key, or a format that its operator has to allow.',
        "The operator looks at the engine's key and settings.",
      ),
      search(
        { type: 'unsupported-type', searchType: 'images', message: engineWords },
        'The engine turns the type down only when it is asked.',
        'Ask another engine.',
      ),
      search({ type: 'cancelled', message: engineWords }, 'The client left. Nobody reads this.', 'None.'),
    ],
  },
}
