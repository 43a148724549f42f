import { err, ok, ResultAsync } from 'neverthrow'
import type { Page, PageRequest } from '../query/page.ts'
import type { Query } from '../query/query.ts'
import type { Principal } from '../quota-rules/quota-target.ts'
import type { SelfToken, SelfTokenField, SelfTokenId } from './self-token.ts'
import type { SelfTokenRepository } from './self-token-repository.ts'
import { hashOfSecret, isSelfSecret, newSelfSecret } from './self-token-secret.ts'

/** A storage has no more tokens of users than these. */
export const MAXIMUM_SELF_TOKENS = 100_000

/** The default lifetime of a token: 90 days. */
export const DEFAULT_LIFETIME_SECONDS = 90 * 86_400

/** Why an operation on a token of a user failed. */
export type SelfTokenError =
  | { readonly type: 'self-token-not-found'; readonly token: string }
  | { readonly type: 'too-many-self-tokens'; readonly maximum: number }

/** The tokens with which users of the file systems read the own quotas, and nothing else. */
export interface SelfTokens {
  /** Adds a token. No later call returns its secret. */
  create(request: CreateSelfToken): ResultAsync<CreatedSelfToken, SelfTokenError>
  find(token: string): ResultAsync<SelfToken, SelfTokenError>
  list(request: PageRequest<SelfTokenField>): Promise<Page<SelfToken>>
  count(query: Query<SelfTokenField>): Promise<number>
  delete(token: string): ResultAsync<void, SelfTokenError>
  /** Returns the live token of a secret, or `undefined`. */
  verify(secret: string): Promise<SelfToken | undefined>
}

/** A new token. */
export interface CreateSelfToken {
  /** The user, by a name of 1 to 128 characters that is not a number, or by the number as the id. */
  readonly user: Principal
  /** From 1 second to 10 years. @default 90 days */
  readonly lifetimeSeconds?: number
}

/** A new token with its secret, `tself_` and 43 characters. */
export interface CreatedSelfToken {
  readonly token: SelfToken
  readonly secret: string
}

export interface SelfTokensOptions {
  readonly repository: SelfTokenRepository
  readonly newId: () => string
  readonly now: () => Date
}

export function createSelfTokens({ repository, newId, now }: SelfTokensOptions): SelfTokens {
  const found = <Value>(token: string, look: (uuid: SelfTokenId) => Promise<Value | undefined>) =>
    // An id of a client is a text, and is looked up unchecked.
    ResultAsync.fromSafePromise(look(token as SelfTokenId)).andThen((value) =>
      value === undefined ? err({ type: 'self-token-not-found', token } as const) : ok(value),
    )

  async function create({ user, lifetimeSeconds = DEFAULT_LIFETIME_SECONDS }: CreateSelfToken) {
    const secret = newSelfSecret()
    const createdAt = now()
    const token: SelfToken = {
      uuid: newId() as SelfTokenId, // ids are opaque texts
      user,
      createdAt,
      expiresAt: new Date(createdAt.getTime() + lifetimeSeconds * 1000),
    }
    const outcome = await repository.add(token, await hashOfSecret(secret), MAXIMUM_SELF_TOKENS)
    return outcome === 'added'
      ? ok({ token, secret })
      : err({ type: 'too-many-self-tokens', maximum: MAXIMUM_SELF_TOKENS } as const)
  }

  return {
    create: (request) => new ResultAsync(create(request)),
    find: (token) => found(token, repository.find),
    list: (request) => repository.list(request),
    count: (query) => repository.count(query),
    delete: (token) => found(token, async (uuid) => (await repository.remove(uuid)) || undefined).map(() => undefined),
    async verify(secret) {
      if (!isSelfSecret(secret)) return undefined
      const token = await repository.ofHash(await hashOfSecret(secret))
      return token && token.expiresAt > now() ? token : undefined
    },
  }
}
