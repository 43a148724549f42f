import { err, ok, type Result } from 'neverthrow'
import { compileQuery } from '../../query/compile-query.ts'
import { type Clause, oneOf } from '../../query/query.ts'
import type { Caller } from '../access/caller.ts'
import type { Failure } from '../errors/failure.ts'
import type { WireRecords } from './wire-field.ts'

/**
 * What the records of a collection belong to, by the fields that have its ids. A caller sees the records of what it
 * sees.
 */
export type Belonging<Name extends string> =
  | { readonly to: 'volume'; readonly volume: Name; readonly svm: Name }
  | { readonly to: 'svm'; readonly svm: Name }
  /** The handler has found a record that the caller sees, and the list is of that record. */
  | { readonly to: 'found record' }
  /** With `owner`, a user sees only their own records, unless they see every volume. The SVM of a header is ignored. */
  | { readonly to: 'node'; readonly node: Name; readonly owner?: Name }
  /** Records of the whole storage, which a caller that does not see all of it does not see. */
  | { readonly to: 'storage'; readonly key: Name }

/** Returns the clauses that select the records that a caller sees. Callers that see everything have none. */
export function visibleClauses<Name extends string>(
  { svm, sight, userId }: Caller,
  belonging: Belonging<Name>,
): readonly Clause<Name>[] {
  const ofHeader = (field: Name) => (svm ? [oneOf(field, [svm.uuid])] : [])
  switch (belonging.to) {
    case 'volume':
      return [...ofHeader(belonging.svm), ...(sight ? [oneOf(belonging.volume, sight.volumes)] : [])]
    case 'svm':
      return [...ofHeader(belonging.svm), ...(sight ? [oneOf(belonging.svm, sight.svms)] : [])]
    case 'storage':
      return sight ? [oneOf(belonging.key, [])] : []
    case 'found record':
      return []
    case 'node': {
      const { node, owner } = belonging
      if (!sight) return []
      return [
        oneOf(node, sight.nodes),
        ...(owner === undefined ? [] : [oneOf(owner, userId === undefined ? [] : [userId])]),
      ]
    }
  }
}

interface VisibleSource<Entity, Name extends string> {
  readonly records: Pick<WireRecords<Entity, Name>, 'catalogue'>
  readonly belonging: Belonging<Name>
}

/** Refuses a record that the caller does not see. `absent` is the answer to a record that does not exist. */
export const ifVisible =
  <Entity, Name extends string>(caller: Caller, { records, belonging }: VisibleSource<Entity, Name>, absent: Failure) =>
  (entity: Entity): Result<Entity, Failure> =>
    compileQuery(records.catalogue, { all: visibleClauses(caller, belonging) })(entity) ? ok(entity) : err(absent)
