import type { ApiKey, ApiKeyHash, ApiKeyId } from '../../api-keys/api-key.ts'
import { type ProviderErrorInit, toProviderError } from '../../providers/provider-error.ts'
import type { GatewayError } from './to-failure.ts'

export interface ErrorNote {
  readonly when: string
  readonly remedy: string
}

interface NoteOf<Outcome> extends ErrorNote {
  /** `{name}` stands for what differs from request to request. */
  readonly example: Outcome
}

type Outcome<Type extends GatewayError['type']> = Extract<GatewayError, { readonly type: Type }>

type Notes = {
  readonly [Type in GatewayError['type']]?: NoteOf<Outcome<Type>> | readonly NoteOf<Outcome<Type>>[]
}

const KEY_ID = '{key_id}' as ApiKeyId // it stands for one

const key: ApiKey = {
  id: KEY_ID,
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

const UPSTREAM_WORDS = "{the upstream's own words}"
const PROVIDER_WORDS = "{the provider's own words}"
const ENGINE_WORDS = "{the engine's own words}"

const notes = {
  'Keys and access': {
    'api-key-malformed': {
      example: { type: 'api-key-malformed' },
      when: "The Bearer token is neither of the form of a key nor the admin's password.",
      remedy: 'Send the whole key, from `tvm_` on.',
    },
    'api-key-unknown': {
      example: { type: 'api-key-unknown' },
      when: 'No key has this secret: it was rotated away, or it is of another server.',
      remedy: 'Ask the admin for a key of this server.',
    },
    'api-key-revoked': {
      example: { type: 'api-key-revoked', key },
      when: 'The admin has revoked the key.',
      remedy: 'Ask for another; a revoked key never comes back.',
    },
    'api-key-expired': {
      example: { type: 'api-key-expired', key },
      when: 'The time that the key was made for has ended.',
      remedy: 'Ask for another key.',
    },
    'api-key-not-found': {
      example: { type: 'api-key-not-found', id: KEY_ID },
      when: 'An operation on a key names an id that no key has.',
      remedy: 'List the keys: `GET /v1/auth/keys`.',
    },
    'api-key-name-taken': {
      example: { type: 'api-key-name-taken', username: '{username}', name: '{name}' },
      when: 'A key is made or renamed, and another unrevoked key of the same user has the name.',
      remedy: 'Choose another name, or revoke the other key.',
    },
    'api-key-not-active': {
      example: { type: 'api-key-not-active', id: KEY_ID },
      when: 'A revoked key is to be rotated.',
      remedy: 'Make a new key.',
    },
  },
  Limits: {
    'rate-limited': {
      example: { type: 'rate-limited', state, retryAfterMs: 12_000 },
      when: 'As many requests as the key is allowed were admitted in the last 60 seconds.',
      remedy: 'Wait as long as `Retry-After` says; refused requests do not count.',
    },
    'too-many-refused': {
      example: { type: 'too-many-refused', limit: 60, retryAfterMs: 12_000 },
      when: 'The key has sent 60 requests in a minute, or as many as its rate limit where that is more, that were refused for what they say.',
      remedy: 'Mend the request, and wait as long as `Retry-After` says.',
    },
    'too-many-bodies': {
      example: { type: 'too-many-bodies', limitMegabytes: 128 },
      when: 'The bodies of more than 64 KiB that the key is sending to this process add up to more than that.',
      remedy: 'Send fewer large requests at the same time.',
    },
    'budget-exceeded': [
      {
        example: { type: 'budget-exceeded', window: 'minute', limit: 10_000, retryAfterSeconds: 12 },
        when: 'The tokens that the request may cost, with those in use, exceed what the key has in a minute.',
        remedy: 'Wait as long as `Retry-After` says, or ask for fewer tokens (`max_tokens`).',
      },
      {
        example: { type: 'budget-exceeded', window: 'day', limit: 1_000_000, retryAfterSeconds: 3600 },
        when: 'The same, for the day, which begins at midnight UTC.',
        remedy: 'Wait for the next day, or have the budget raised: `PATCH /v1/auth/keys/{key_id}`.',
      },
    ],
    'limits-unavailable': {
      example: { type: 'limits-unavailable' },
      when: 'The store of the limits is unavailable, and the host refuses then (`onStoreFailure`).',
      remedy: 'Send it again after a second; the operator looks at `/health`.',
    },
  },
  'Models and images': {
    'model-not-found': [
      {
        example: { type: 'model-not-found', model: '{model}', candidates: [] },
        when: 'No provider has the model, or the provider that has it does not report it now.',
        remedy: 'Take an id of `GET /v1/models`.',
      },
      {
        example: { type: 'model-not-found', model: '{model}', candidates: ['{provider}/{model}', '{other}/{model}'] },
        when: 'A bare id that several providers have.',
        remedy: 'Write the provider before it.',
      },
    ],
    'model-kind-mismatch': [
      {
        example: { type: 'model-kind-mismatch', model: '{model}', kind: 'image' },
        when: 'An image model is asked to chat.',
        remedy: 'Send it to `/v1/images/generations`, or choose a chat model.',
      },
      {
        example: { type: 'model-kind-mismatch', model: '{model}', kind: 'chat' },
        when: 'A chat model is asked for a picture.',
        remedy: 'Take a model of `GET /v1/TTI/models`.',
      },
    ],
    'image-model-absent': {
      example: { type: 'image-model-absent' },
      when: 'No model was named, and no provider has an image model.',
      remedy: 'The host adds a provider with one.',
    },
    'image-store-absent': {
      example: { type: 'image-store-absent' },
      when: 'An address is asked for, and the host gave no `imageStore`.',
      remedy: 'Ask for `b64_json`.',
    },
  },
  Upstreams: {
    'upstream-failed': [
      upstream(
        { type: 'refused', status: 400, message: UPSTREAM_WORDS },
        "The upstream refuses the request. 404, 408, 409, 413 and 422 come through in the same way. `type`, `code` and `param` are the upstream's where it gives them.",
        'Mend the request as the message says.',
      ),
      upstream(
        { type: 'refused', status: 429, message: UPSTREAM_WORDS },
        'The upstream has a limit of its own, and retries and fallbacks did not help.',
        'Wait as long as `Retry-After` says; the operator may add a fallback.',
      ),
      upstream(
        { type: 'refused', status: 401, message: UPSTREAM_WORDS },
        "The upstream refuses the gateway's credentials, account or address (401, 402, 403, 407).",
        "Nothing that a client can mend: the operator looks at the provider's key.",
      ),
      upstream(
        { type: 'refused', status: 500, message: UPSTREAM_WORDS },
        "The upstream has an error of its own (any 5xx); `code` is the upstream's where it gives one.",
        'Send it again.',
      ),
      upstream(
        { type: 'unsupported', param: '{param}', message: "{what can't be done}" },
        'The provider has nothing that corresponds to the parameter, and leaving it out would change the answer.',
        'Leave the parameter out, or take a model of another provider.',
      ),
      upstream(
        { type: 'unreachable', message: PROVIDER_WORDS },
        'There is no connection to the upstream.',
        'Send it again; the operator looks at `/health`.',
      ),
      upstream(
        { type: 'unreachable', message: PROVIDER_WORDS, retryAfterSeconds: 30 },
        'The upstream has failed again and again, and is left alone for a while.',
        'Wait as long as `Retry-After` says.',
      ),
      upstream(
        { type: 'timed-out', phase: 'first-byte', message: PROVIDER_WORDS },
        "The upstream did not connect, begin, continue or end in its time, or in the request's `timeout`.",
        'Send it again with a longer `timeout`, or stream the answer.',
      ),
      upstream(
        { type: 'interrupted', message: PROVIDER_WORDS },
        'The connection to the upstream broke. In a stream it is the last event.',
        'Send it again; what came is incomplete.',
      ),
      upstream(
        { type: 'malformed', message: PROVIDER_WORDS },
        "The answer is not what the upstream's protocol says.",
        "The operator looks at the provider's `baseUrl`.",
      ),
      upstream(
        { type: 'cancelled', message: PROVIDER_WORDS },
        'The client left. Nobody reads this; usage counts it with status 499.',
        'None.',
      ),
    ],
  },
  Search: {
    'search-engine-unknown': [
      {
        example: { type: 'search-engine-unknown', engine: '{engine}', engines: ['duckduckgo', 'local'] },
        when: 'The host has no engine of this name.',
        remedy: 'Take one that the message lists, or leave `engine` out.',
      },
      {
        example: { type: 'search-engine-unknown', engine: '', engines: [] },
        when: 'The host gave no engine.',
        remedy: 'The host adds `searchEngines`.',
      },
    ],
    'search-type-unsupported': {
      example: { type: 'search-type-unsupported', engine: '{engine}', searchType: 'news' },
      when: 'The engine does not search for this type at all.',
      remedy: 'Ask another engine.',
    },
    'search-failed': [
      search(
        { type: 'blocked', message: ENGINE_WORDS, retryAfterSeconds: 60 },
        'The engine takes the server for a robot.',
        'Wait as long as `Retry-After` says, or ask another engine.',
      ),
      search(
        { type: 'rate-limited', message: ENGINE_WORDS, retryAfterSeconds: 60 },
        'The engine has a limit of its own.',
        'Wait as long as `Retry-After` says.',
      ),
      search(
        { type: 'unavailable', message: ENGINE_WORDS },
        'No connection to the engine, or an answer that makes no sense.',
        'Send it again, or ask another engine.',
      ),
      search(
        { type: 'timed-out', message: ENGINE_WORDS },
        'The engine did not answer in its time.',
        'Send it again, or ask another engine.',
      ),
      search(
        { type: 'misconfigured', message: ENGINE_WORDS },
        'The engine refuses permanently: a bad key, or a format that its operator has to allow.',
        "The operator looks at the engine's key and settings.",
      ),
      search(
        { type: 'unsupported-type', searchType: 'images', message: ENGINE_WORDS },
        'The engine turns the type down only when it is asked.',
        'Ask another engine.',
      ),
      search({ type: 'cancelled', message: ENGINE_WORDS }, 'The client left. No one reads this.', 'None.'),
    ],
  },
} satisfies Readonly<Record<string, Notes>>

type Unnoted = Exclude<
  GatewayError['type'],
  { [Title in keyof typeof notes]: keyof (typeof notes)[Title] }[keyof typeof notes]
>

/** When each error comes and what to do, in groups; the type names those that are left out. */
export const errorNotes: [Unnoted] extends [never] ? typeof notes : Unnoted = notes

/** What is answered where no service is asked, or one fails. */
export const answerNotes = {
  'Keys and access': {
    noKey: { when: 'An operation that takes a key came without one.', remedy: 'Send `Authorization: Bearer tvm_…`.' },
    unreadableCredentials: {
      when: 'The header is there, and neither Bearer nor Basic, or there twice.',
      remedy: 'Write the word `Bearer` before the key.',
    },
    noAdmin: {
      when: 'An operation of the admin came without credentials.',
      remedy: "Send the admin's password: `curl -u admin:…`.",
    },
    wrongAdmin: {
      when: "The admin's name or password is wrong.",
      remedy: 'Use the password that the host has set; the reference server keeps it in its data directory.',
    },
    foreignOrigin: {
      when: 'A browser sent HTTP Basic from a page of another origin.',
      remedy: 'Let that page send a Bearer token.',
    },
    manyGuesses: {
      when: '5 wrong admin passwords came from this address, or too many from all; `Retry-After` has the seconds. What was presented is not looked at, right or wrong.',
      remedy: 'Wait for that time, then present the right one. From another address it is taken immediately.',
    },
    keyForAdmin: { when: 'A key asks for what only the admin may do.', remedy: "Use the admin's credentials." },
    usageOfAnother: {
      when: 'A key asks for the usage of another.',
      remedy: 'Leave `key_id` out, or ask as the admin.',
    },
    refusedByHost: {
      when: "A rule of the host's own (`authorize`) admits no one for this request. Here it guards `/search`.",
      remedy: 'Present what the host asks for.',
    },
  },
  'The request itself': {
    missingField: { when: 'A field that has to be there is missing; `param` names it.', remedy: 'Add the field.' },
    invalidType: { when: 'A field has a wrong type; `param` names it.', remedy: 'Mend the field as the message says.' },
    outOfBounds: {
      when: 'A field is out of its bounds; `param` names it.',
      remedy: 'Mend the field as the message says.',
    },
    unknownField: {
      when: 'A field or a parameter of an administrative request does not exist; `param` names it. Chat requests may have any.',
      remedy: 'Write its name as the OpenAPI document has it, or leave it out.',
    },
    invertedSpan: { when: 'The span of a usage report ends before it begins.', remedy: 'Exchange the two.' },
    pictureGone: {
      when: 'No picture has this address: it never existed, or its time has ended.',
      remedy: 'Make it again, and fetch it soon.',
    },
    methodNotAllowed: {
      when: 'The path exists, with other methods.',
      remedy: 'Use a method that the message and the header `Allow` name.',
    },
    malformed: { when: 'The body is not JSON.', remedy: 'Send valid JSON.' },
    tooManyValues: {
      when: 'The body has more than 10,000 values, lists, objects and their members each counted once; a chat more than 30,000.',
      remedy: 'Send less: shorten the conversation, or the schemas of its tools.',
    },
    tooLarge: {
      when: 'The body is larger than the operation takes (`chatBodyLimit` of the host, for chat).',
      remedy: 'Send less: shorten the conversation, or its pictures.',
    },
  },
  'The server': {
    storeAway: { when: 'The database is unavailable.', remedy: 'Send it again after a second.' },
    closed: { when: 'The server shuts down.', remedy: 'Send it again once the server is back.' },
    fault: {
      when: 'A fault in the gateway, or in a part that the host gave.',
      remedy: "The operator looks into the host's log (`onFault`) with the `x-request-id` of the answer.",
    },
  },
} satisfies Readonly<Record<string, Readonly<Record<string, ErrorNote>>>>
