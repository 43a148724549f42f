import { err, ok, type Result, ResultAsync } from 'neverthrow'
import type { ApiKeyRepository } from '../api-keys/api-key-repository.ts'
import { userIdOf } from '../api-keys/api-key-secret.ts'
import type { Group, GroupId, GroupKind } from './group.ts'
import type { GroupChanges, GroupQuery, GroupRepository } from './group-repository.ts'

/** Why an operation on a team or a user failed. */
export type GroupError =
  | { readonly type: 'group-not-found'; readonly kind: GroupKind; readonly id: GroupId }
  | { readonly type: 'group-taken'; readonly kind: GroupKind; readonly name: string }
  /** Keys that are neither revoked nor expired would lose its limits. */
  | { readonly type: 'group-in-use'; readonly kind: GroupKind; readonly id: GroupId }
  /** The repositories of the gateway store no groups. */
  | { readonly type: 'groups-not-stored' }

/** A team or a user to create. */
export interface NewGroup extends Partial<Omit<Group, 'kind' | 'id' | 'name' | 'createdAt'>> {
  readonly kind: GroupKind
  /** From 1 to 128 characters in NFKC, without control and format characters. Of a user, the username of its keys. */
  readonly name: string
}

/** Creates and changes teams and users. Changes take effect like those of keys. */
export interface Groups {
  create(group: NewGroup): ResultAsync<Group, GroupError>
  find(kind: GroupKind, id: GroupId): ResultAsync<Group, GroupError>
  /** Returns groups by their creation. */
  list(query: GroupQuery): ResultAsync<readonly Group[], GroupError>
  change(kind: GroupKind, id: GroupId, changes: GroupChanges): ResultAsync<Group, GroupError>
  /**
   * Removes a group that no key has which could be used. A key that gets a removed team at the same time is refused.
   */
  remove(kind: GroupKind, id: GroupId): ResultAsync<Group, GroupError>
}

export interface GroupsParts {
  /** @default none: each method returns `groups-not-stored` */
  readonly repository: GroupRepository | undefined
  readonly apiKeys: Pick<ApiKeyRepository, 'count'>
  /** Makes all replicas read the keys of groups again. */
  readonly publish: () => Promise<void>
  readonly now: () => Date
  readonly newId: () => string
}

export function createGroups({ repository, apiKeys, publish, now, newId }: GroupsParts): Groups {
  const create = async (groups: GroupRepository, request: NewGroup): Promise<Result<Group, GroupError>> => {
    const { kind, name } = request
    const group: Group = {
      budget: {},
      policy: {},
      owners: [],
      ...request,
      id: (kind === 'user' ? await userIdOf(name) : newId()) as GroupId, // the only place that creates ids
      createdAt: now(),
    }
    if ((await groups.add(group)) === 'taken') return err({ type: 'group-taken', kind, name })
    await publish()
    return ok(group)
  }

  const find = async (groups: GroupRepository, kind: GroupKind, id: GroupId): Promise<Result<Group, GroupError>> => {
    const group = await groups.find(kind, id)
    return group ? ok(group) : err({ type: 'group-not-found', kind, id })
  }

  const change = async (
    groups: GroupRepository,
    kind: GroupKind,
    id: GroupId,
    changes: GroupChanges,
  ): Promise<Result<Group, GroupError>> => {
    const changed = await groups.change(kind, id, changes)
    if (changed === 'taken') return err({ type: 'group-taken', kind, name: changes.name ?? '' })
    if (!changed) return err({ type: 'group-not-found', kind, id })
    await publish()
    return ok(changed)
  }

  const remove = async (groups: GroupRepository, kind: GroupKind, id: GroupId): Promise<Result<Group, GroupError>> => {
    const found = await find(groups, kind, id)
    if (found.isErr()) return found
    const owner = kind === 'team' ? { teamId: id } : { username: found.value.name }
    if ((await apiKeys.count(owner, now())).usable > 0) return err({ type: 'group-in-use', kind, id })
    await groups.remove(kind, id)
    await publish()
    return found
  }

  const run = <Value>(
    work: (groups: GroupRepository) => Promise<Result<Value, GroupError>>,
  ): ResultAsync<Value, GroupError> =>
    new ResultAsync(repository ? work(repository) : Promise.resolve(err({ type: 'groups-not-stored' })))

  return {
    create: (request) => run((groups) => create(groups, request)),
    find: (kind, id) => run((groups) => find(groups, kind, id)),
    list: (query) => run(async (groups) => ok(await groups.list(query))),
    change: (kind, id, changes) => run((groups) => change(groups, kind, id, changes)),
    remove: (kind, id) => run((groups) => remove(groups, kind, id)),
  }
}
