import { err, ok, type Result, ResultAsync } from 'neverthrow'
import { rateLimitBounds } from '../accounts/limit-bounds.ts'
import type { Budget } from '../accounts/limits.ts'
import { checkRange } from '../check-range.ts'
import type { Group, GroupId } from '../groups/group.ts'
import type { GroupRepository } from '../groups/group-repository.ts'
import { ignoreServiceClosed } from '../lifetime.ts'
import type { Outcome } from '../outcome.ts'
import type { Labels, Policy } from '../policies/policy.ts'
import type { PolicyHolder } from '../policies/policy-decisions.ts'
import type { ApiKey, ApiKeyHash, ApiKeyId } from './api-key.ts'
import { type ApiKeyCacheOptions, createApiKeyCache } from './api-key-cache.ts'
import type { ApiKeyChanges, ApiKeyCounts, ApiKeyOwner, ApiKeyQuery, ApiKeyRepository } from './api-key-repository.ts'
import { hashesEqual, hashSecret, hasSecretForm, hintOf, newSecret, userIdOf } from './api-key-secret.ts'
import type { KeyInvalidations } from './key-invalidations.ts'

/** Why a secret is refused. */
export type ApiKeyRefusal =
  | { readonly type: 'api-key-malformed' }
  | { readonly type: 'api-key-unknown' }
  | { readonly type: 'api-key-revoked'; readonly key: ApiKey }
  | { readonly type: 'api-key-expired'; readonly key: ApiKey }
  /** The key, its team or its user is disabled. */
  | { readonly type: 'api-key-disabled'; readonly key: ApiKey; readonly holder: PolicyHolder }
  /** The team of the key was removed. */
  | { readonly type: 'api-key-team-absent'; readonly key: ApiKey }

/** Why an operation on a key failed. A name is taken only by another key of the same user that is not revoked. */
export type ApiKeyError =
  | { readonly type: 'api-key-not-found'; readonly id: ApiKeyId }
  | { readonly type: 'api-key-name-taken'; readonly username: string; readonly name: string }
  /** A revoked key cannot get a new secret. */
  | { readonly type: 'api-key-not-active'; readonly id: ApiKeyId }
  | { readonly type: 'team-not-found'; readonly id: GroupId }
  /** The team has the most usable keys, or ten times as many with those that are revoked or expired. */
  | { readonly type: 'team-full'; readonly id: GroupId; readonly most: number }

/**
 * A key to create. A user needs no record of their own: the username is enough.
 */
export interface NewApiKey extends Labels {
  /** From 1 to 128 characters in NFKC, without control and format characters, compared exactly. */
  readonly username: string
  /** From 1 to 128 characters. Unique among the user's keys that are not revoked. @default none */
  readonly name?: string
  /** Requests in 60 seconds, from 1 to 100,000. @default `defaultRateLimit` of {@link ApiKeysOptions} */
  readonly rateLimit?: number
  /** The most tokens, money and requests at the same time. @default unlimited */
  readonly budget?: Budget
  /** What the key may do. @default everything */
  readonly policy?: Policy
  /** The team that the key belongs to. @default none */
  readonly teamId?: GroupId
  /** The key is refused after that many periods of 24 hours, from 1 to 36,500. @default never */
  readonly expiresInDays?: number
  /** The key is refused from this time on. Excludes `expiresInDays`. @default never */
  readonly expiresAt?: Date
}

/** A key with its secret, which cannot be read again later. */
export interface IssuedApiKey {
  readonly key: ApiKey
  /** The prefix and 43 characters of `[A-Za-z0-9_-]`, which encode 256 random bits. */
  readonly secret: string
}

/** Creates, checks and changes API keys. */
export interface ApiKeys {
  /** Creates a key. Where it fails, nothing is stored. */
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
  /** Counts the keys of a user, of a team, of a user in a team, or of all. */
  count(owner: ApiKeyOwner): Promise<ApiKeyCounts>
  /** Finds expired and revoked keys too. */
  find(id: ApiKeyId): ResultAsync<ApiKey, ApiKeyError>
  /**
   * Takes effect like {@link revoke}. Admissions and uses under the old limits count under the new ones. A revoked key can
   * take any name.
   */
  change(id: ApiKeyId, changes: ApiKeyChanges): ResultAsync<ApiKey, ApiKeyError>
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
  /** Makes all replicas read all keys again, since a team or a user has changed. */
  publishGroups(): Promise<void>
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
  /**
   * The most keys of a team that can be used, from 1 to 1,000,000. With its revoked and expired keys, a team has at most ten
   * times as many. Keys that are created at the same time may exceed it by their number. @default 1_000
   */
  readonly maxTeamKeys?: number
}

export interface ApiKeysParts {
  readonly repository: ApiKeyRepository
  /** `undefined`: keys have neither teams nor users with limits. */
  readonly groups: GroupRepository | undefined
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

export type ApiKeyChange = 'created' | 'changed' | 'rotated' | 'revoked'

const DAY_MS = 86_400_000
const MAX_TEAM_KEYS = 1_000_000
/** Keys that ended are stored for some days, so that a team could otherwise have any number of them. */
const ENDED_KEYS = 10

/** The message that a team or a user has changed, on the channel of keys: any key may be one of its keys. */
const GROUPS_CHANGED = 'groups' as ApiKeyId // no key has this id

export function createApiKeys(options: ApiKeysOptions, parts: ApiKeysParts): ApiKeys & ApiKeysLifetime {
  const { prefix = 'tvm_', defaultRateLimit = 10, maxTeamKeys = 1_000, ...cacheOptions } = options
  const { repository, groups, invalidations, now, newId, onChanged, onForgotten, onFault, flushUses, start } = parts
  checkRange({ 'apiKeys.defaultRateLimit': defaultRateLimit }, ...rateLimitBounds)
  checkRange({ 'apiKeys.maxTeamKeys': maxTeamKeys }, 1, MAX_TEAM_KEYS)
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
    return key && hashesEqual(key.hash, hash) ? withGroups(key) : undefined
  }

  const withGroups = async (key: ApiKey): Promise<ApiKey> => {
    if (!groups) return key
    const [team, user] = await Promise.all([
      key.teamId === undefined ? undefined : groups.find('team', key.teamId),
      // Users have the ids that are derived from their usernames.
      groups.find('user', key.userId as GroupId),
    ])
    const found = [team, user].filter((group): group is Group => group !== undefined)
    return found.length === 0 ? key : { ...key, groups: found }
  }

  const findWithGroups = async (id: ApiKeyId): Promise<ApiKey | undefined> => {
    const key = await repository.find(id)
    return key && withGroups(key)
  }

  const checkKey = (key: ApiKey | undefined): Result<ApiKey, ApiKeyRefusal> => {
    if (!key) return err({ type: 'api-key-unknown' })
    if (key.revokedAt) return err({ type: 'api-key-revoked', key })
    if (key.expiresAt && key.expiresAt <= now()) return err({ type: 'api-key-expired', key })
    if (key.policy.disabled) return err({ type: 'api-key-disabled', key, holder: 'key' })
    if (key.teamId !== undefined && !key.groups?.some(({ kind }) => kind === 'team')) {
      return err({ type: 'api-key-team-absent', key })
    }
    const disabled = key.groups?.find(({ policy }) => policy.disabled)
    return disabled ? err({ type: 'api-key-disabled', key, holder: disabled.kind }) : ok(key)
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
    const found = byId.load(id, () => findWithGroups(id))
    return new ResultAsync(found.then((key) => checkKey(hasSecret(key) ? key : undefined)))
  }

  const validate = async (secret: string | undefined): Promise<Result<ApiKey, ApiKeyRefusal>> => {
    if (!hasSecretForm(secret, prefix)) return err({ type: 'api-key-malformed' })
    await flushUses()
    return checkKey(await lookUp(secret))
  }

  /** Returns why a team gets no further key. */
  const refusedTeam = async (id: GroupId): Promise<ApiKeyError | undefined> => {
    if (!(await groups?.find('team', id))) return { type: 'team-not-found', id }
    const { usable, all } = await repository.count({ teamId: id }, now())
    const isFull = usable >= maxTeamKeys || all >= maxTeamKeys * ENDED_KEYS
    return isFull ? { type: 'team-full', id, most: maxTeamKeys } : undefined
  }

  const generate = async (request: NewApiKey): Promise<Result<IssuedApiKey, ApiKeyError>> => {
    const { username, name, rateLimit = defaultRateLimit, budget = {}, policy = {}, teamId, expiresInDays } = request
    const { tags, metadata } = request
    const refused = teamId && (await refusedTeam(teamId))
    if (refused) return err(refused)
    const createdAt = now()
    const expiresAt =
      expiresInDays === undefined ? request.expiresAt : new Date(createdAt.getTime() + expiresInDays * DAY_MS)
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
      policy,
      ...(teamId === undefined ? {} : { teamId }),
      ...(tags === undefined ? {} : { tags }),
      ...(metadata === undefined ? {} : { metadata }),
      createdAt,
      ...(expiresAt === undefined ? {} : { expiresAt }),
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

  const publishGroups = async (): Promise<void> => {
    forget(undefined)
    await invalidations?.publish(GROUPS_CHANGED).catch(onFault)
  }

  const changeIf = async (
    change: ApiKeyChange,
    id: ApiKeyId,
    outcome: Promise<ApiKey | undefined>,
  ): Promise<Result<ApiKey, ApiKeyError>> => {
    const key = await outcome
    return key ? ok(await changed(change, key)) : err({ type: 'api-key-not-found', id })
  }

  const change = async (id: ApiKeyId, changes: ApiKeyChanges): Promise<Result<ApiKey, ApiKeyError>> => {
    const { teamId, name } = changes
    const isMoved = teamId && (await repository.find(id))?.teamId !== teamId
    const refused = isMoved && (await refusedTeam(teamId))
    if (refused) return err(refused)
    const outcome = await repository.change(id, changes)
    if (outcome !== 'name-taken') return changeIf('changed', id, Promise.resolve(outcome))
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
    count: (owner) => repository.count(owner, now()),
    find: (id) => new ResultAsync(find(id)),
    change: (id, changes) => new ResultAsync(change(id, changes)),
    rotate: (id) => new ResultAsync(rotate(id)),
    revoke: (id) => new ResultAsync(changeIf('revoked', id, repository.revoke(id, now()))),
    publishGroups,
    async listen() {
      unsubscribe = await invalidations?.subscribe((id) => forget(id === GROUPS_CHANGED ? undefined : id))
      // Keys cached before the subscription may have changed meanwhile.
      forget(undefined)
    },
    async close() {
      forget(undefined)
      await unsubscribe?.()
    },
  }
}
