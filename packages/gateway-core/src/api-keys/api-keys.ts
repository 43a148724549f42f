import { err, ok, type Result, ResultAsync } from 'neverthrow'
import { checkRange } from '../check-range.ts'
import { ignoreServiceClosed } from '../lifetime.ts'
import type { Outcome } from '../outcome.ts'
import type { ApiKey, ApiKeyHash, ApiKeyId, TokenBudget } from './api-key.ts'
import { rateLimitBounds } from './api-key-bounds.ts'
import { type ApiKeyCacheOptions, createApiKeyCache } from './api-key-cache.ts'
import type { ApiKeyLimits, ApiKeyQuery, ApiKeyRepository } from './api-key-repository.ts'
import { hashesEqual, hashSecret, hasSecretForm, hintOf, newSecret, userIdOf } from './api-key-secret.ts'
import type { KeyInvalidations } from './key-invalidations.ts'

/** Why a secret is refused. */
export type ApiKeyRefusal =
  | { readonly type: 'api-key-malformed' }
  | { readonly type: 'api-key-unknown' }
  | { readonly type: 'api-key-revoked'; readonly key: ApiKey }
  | { readonly type: 'api-key-expired'; readonly key: ApiKey }

/** Why an operation on a key failed. A name is taken only by another key of the same user that is not revoked. */
export type ApiKeyError =
  | { readonly type: 'api-key-not-found'; readonly id: ApiKeyId }
  | { readonly type: 'api-key-name-taken'; readonly username: string; readonly name: string }
  /** A revoked key cannot get a new secret. */
  | { readonly type: 'api-key-not-active'; readonly id: ApiKeyId }

/**
 * A key to create. A user needs no record of their own: the username is enough.
 */
export interface NewApiKey {
  /** From 1 to 128 characters without control characters, compared exactly. */
  readonly username: string
  /** From 1 to 128 characters. Unique among the user's keys that are not revoked. @default none */
  readonly name?: string
  /** Requests in 60 seconds, from 1 to 100,000. @default `defaultRateLimit` of {@link ApiKeysOptions} */
  readonly rateLimit?: number
  /** The most tokens in a minute and in a day. @default unlimited */
  readonly budget?: TokenBudget
  /** The key is refused after that many periods of 24 hours, from 1 to 36,500. @default never */
  readonly expiresInDays?: number
}

/** A key with its secret, which cannot be read again later. */
export interface IssuedApiKey {
  readonly key: ApiKey
  /** The prefix and 43 characters of `[A-Za-z0-9_-]`, which encode 256 random bits. */
  readonly secret: string
}

/** Creates, checks and changes API keys. */
export interface ApiKeys {
  /** Creates a key. Fails only with `api-key-name-taken`, and then stores nothing. */
  generate(request: NewApiKey): ResultAsync<IssuedApiKey, ApiKeyError>
  /**
   * Finds the key of a secret. Cached keys are returned without the store. `undefined`, as of a header that is missing, is
   * malformed.
   */
  authenticate(secret: string | undefined): Outcome<ApiKey, ApiKeyRefusal>
  /**
   * Finds a key by its id and checks like {@link authenticate}, for a host that knows the key from elsewhere.
   *
   * @param hash that of the key as the host knows it: a key that was rotated since is unknown. @default any secret
   */
  check(id: ApiKeyId, hash?: ApiKeyHash): Outcome<ApiKey, ApiKeyRefusal>
  /** Checks like {@link authenticate}, but always reads the store, after all uses so far are written to it. */
  validate(secret: string | undefined): ResultAsync<ApiKey, ApiKeyRefusal>
  /** Returns keys by their creation, expired and revoked ones included. */
  list(query: ApiKeyQuery): Promise<readonly ApiKey[]>
  /** Finds expired and revoked keys too. */
  find(id: ApiKeyId): ResultAsync<ApiKey, ApiKeyError>
  /** A `name` of `undefined` removes the name. A revoked key can take any name. */
  rename(id: ApiKeyId, name: string | undefined): ResultAsync<ApiKey, ApiKeyError>
  /** Takes effect like {@link revoke}. Admissions under the old limits count under the new ones. */
  changeLimits(id: ApiKeyId, limits: ApiKeyLimits): ResultAsync<ApiKey, ApiKeyError>
  /** Gives the key a new secret. The old one is refused with the same delay as after {@link revoke}. */
  rotate(id: ApiKeyId): ResultAsync<IssuedApiKey, ApiKeyError>
  /**
   * Takes effect immediately in this process and in all replicas that the invalidations reach, and within
   * `cacheSeconds` in the others. Idempotent: a second call keeps the first `revokedAt`.
   */
  revoke(id: ApiKeyId): ResultAsync<ApiKey, ApiKeyError>
}

/** Methods that only the gateway itself calls. */
export interface ApiKeysLifetime {
  /** Subscribes to the changes that other replicas make to keys. */
  listen(): Promise<void>
  /** Clears the cache and ends the subscription. */
  close(): Promise<void>
}

/** How keys are created and how long a process caches them. */
export interface ApiKeysOptions extends ApiKeyCacheOptions {
  /** The beginning of all secrets. @default 'tvm_' */
  readonly prefix?: string
  /** Requests in 60 seconds for a key that is created without a limit, from 1 to 100,000. @default 10 */
  readonly defaultRateLimit?: number
}

export interface ApiKeysParts {
  readonly repository: ApiKeyRepository
  readonly invalidations: KeyInvalidations | undefined
  readonly now: () => Date
  readonly newId: () => string
  readonly onChanged: (change: ApiKeyChange, key: ApiKey) => void
  /** Called after a key was removed from the cache, because it was changed. `undefined`: any key may have changed. */
  readonly onForgotten: (id: ApiKeyId | undefined) => void
  readonly onFault: (error: unknown) => void
  /** Resolves once the uses counted so far are in the repository. */
  readonly flushUses: () => Promise<void>
  /** Starts the gateway. Requests do not wait for it. */
  readonly start: () => Promise<void>
}

export type ApiKeyChange = 'created' | 'renamed' | 'limits-changed' | 'rotated' | 'revoked'

const DAY_MS = 86_400_000

export function createApiKeys(options: ApiKeysOptions, parts: ApiKeysParts): ApiKeys & ApiKeysLifetime {
  const { prefix = 'tvm_', defaultRateLimit = 10, ...cacheOptions } = options
  const { repository, invalidations, now, newId, onChanged, onForgotten, onFault, flushUses, start } = parts
  checkRange({ 'apiKeys.defaultRateLimit': defaultRateLimit }, ...rateLimitBounds)
  const cache = createApiKeyCache(cacheOptions)
  const byId = createApiKeyCache(cacheOptions)
  const forget = (id: ApiKeyId | undefined) => {
    cache.forget(id)
    byId.forget(id)
    onForgotten(id)
  }
  let unsubscribe: (() => Promise<void>) | undefined

  const lookUp = async (secret: string): Promise<ApiKey | undefined> => {
    const hash = await hashSecret(secret)
    const key = await repository.findByHash(hash)
    return key && hashesEqual(key.hash, hash) ? key : undefined
  }

  const checkKey = (key: ApiKey | undefined): Result<ApiKey, ApiKeyRefusal> => {
    if (!key) return err({ type: 'api-key-unknown' })
    if (key.revokedAt) return err({ type: 'api-key-revoked', key })
    if (key.expiresAt && key.expiresAt <= now()) return err({ type: 'api-key-expired', key })
    return ok(key)
  }

  const authenticate = (secret: string | undefined): Outcome<ApiKey, ApiKeyRefusal> => {
    const known = secret === undefined ? undefined : cache.get(secret)
    if (known) return checkKey(known)
    if (!hasSecretForm(secret, prefix)) return err({ type: 'api-key-malformed' })
    start().catch(ignoreServiceClosed(onFault))
    return new ResultAsync(cache.load(secret, () => lookUp(secret)).then(checkKey))
  }

  const check = (id: ApiKeyId, hash?: ApiKeyHash): Outcome<ApiKey, ApiKeyRefusal> => {
    const hasSecret = (key: ApiKey | undefined) => key && (hash === undefined || hashesEqual(key.hash, hash))
    const known = byId.get(id)
    // A cached key with another secret may be the older one: another replica may have rotated it.
    if (known && hasSecret(known)) return checkKey(known)
    start().catch(ignoreServiceClosed(onFault))
    const found = byId.load(id, () => repository.find(id))
    return new ResultAsync(found.then((key) => checkKey(hasSecret(key) ? key : undefined)))
  }

  const validate = async (secret: string | undefined): Promise<Result<ApiKey, ApiKeyRefusal>> => {
    if (!hasSecretForm(secret, prefix)) return err({ type: 'api-key-malformed' })
    await flushUses()
    return checkKey(await lookUp(secret))
  }

  const generate = async (request: NewApiKey): Promise<Result<IssuedApiKey, ApiKeyError>> => {
    const { username, name, rateLimit = defaultRateLimit, budget = {}, expiresInDays } = request
    const createdAt = now()
    const secret = newSecret(prefix)
    const key: ApiKey = {
      id: newId() as ApiKeyId, // the only place that creates ids
      hash: await hashSecret(secret),
      hint: hintOf(secret, prefix),
      userId: await userIdOf(username),
      username,
      ...(name === undefined ? {} : { name }),
      rateLimit,
      budget,
      createdAt,
      ...(expiresInDays === undefined ? {} : { expiresAt: new Date(createdAt.getTime() + expiresInDays * DAY_MS) }),
      usageCount: 0,
    }
    const outcome = await repository.add(key)
    if (outcome === 'name-taken') return err({ type: 'api-key-name-taken', username, name: name ?? '' })
    onChanged('created', key)
    return ok({ key, secret })
  }

  /** Publishes the change before it returns. If the message is lost, other replicas use the old key for `cacheSeconds`. */
  const changed = async (change: ApiKeyChange, key: ApiKey): Promise<ApiKey> => {
    forget(key.id)
    await invalidations?.publish(key.id).catch(onFault)
    onChanged(change, key)
    return key
  }

  const changeIf = async (
    change: ApiKeyChange,
    id: ApiKeyId,
    outcome: Promise<ApiKey | undefined>,
  ): Promise<Result<ApiKey, ApiKeyError>> => {
    const key = await outcome
    return key ? ok(await changed(change, key)) : err({ type: 'api-key-not-found', id })
  }

  const rename = async (id: ApiKeyId, name: string | undefined): Promise<Result<ApiKey, ApiKeyError>> => {
    const outcome = await repository.rename(id, name)
    if (outcome !== 'name-taken') return changeIf('renamed', id, Promise.resolve(outcome))
    const username = (await repository.find(id))?.username ?? ''
    return err({ type: 'api-key-name-taken', username, name: name ?? '' })
  }

  const rotate = async (id: ApiKeyId): Promise<Result<IssuedApiKey, ApiKeyError>> => {
    const secret = newSecret(prefix)
    const key = await repository.replaceSecret(id, { hash: await hashSecret(secret), hint: hintOf(secret, prefix) })
    if (key) return ok({ key: await changed('rotated', key), secret })
    return err({ type: (await repository.find(id)) ? 'api-key-not-active' : 'api-key-not-found', id })
  }

  const find = async (id: ApiKeyId): Promise<Result<ApiKey, ApiKeyError>> => {
    const key = await repository.find(id)
    return key ? ok(key) : err({ type: 'api-key-not-found', id })
  }

  return {
    generate: (request) => new ResultAsync(generate(request)),
    authenticate,
    check,
    validate: (secret) => new ResultAsync(validate(secret)),
    list: (query) => repository.list(query),
    find: (id) => new ResultAsync(find(id)),
    rename: (id, name) => new ResultAsync(rename(id, name)),
    changeLimits: (id, limits) => new ResultAsync(changeIf('limits-changed', id, repository.changeLimits(id, limits))),
    rotate: (id) => new ResultAsync(rotate(id)),
    revoke: (id) => new ResultAsync(changeIf('revoked', id, repository.revoke(id, now()))),
    async listen() {
      unsubscribe = await invalidations?.subscribe(forget)
      // Keys cached before the subscription may have changed meanwhile.
      forget(undefined)
    },
    async close() {
      forget(undefined)
      await unsubscribe?.()
    },
  }
}
