import type { Page, PageRequest } from '../query/page.ts'
import type { Query } from '../query/query.ts'
import type { SelfToken, SelfTokenField, SelfTokenId } from './self-token.ts'

/** The store of the tokens of users. Expired ones are part of it until they are removed. A rejection means that it failed. */
export interface SelfTokenRepository {
  /** Adds a token with the hash of its secret unless there are `maximum` of them. Atomic. */
  add(token: SelfToken, hash: string, maximum: number): Promise<'added' | 'too-many'>
  /** Returns the token of a secret by its hash, or `undefined`. */
  ofHash(hash: string): Promise<SelfToken | undefined>
  find(uuid: SelfTokenId): Promise<SelfToken | undefined>
  list(request: PageRequest<SelfTokenField>): Promise<Page<SelfToken>>
  count(query: Query<SelfTokenField>): Promise<number>
  /** Removes a token. @returns whether it existed */
  remove(uuid: SelfTokenId): Promise<boolean>
  /** Removes the tokens that have expired. @returns how many */
  removeExpired(now: Date): Promise<number>
}
