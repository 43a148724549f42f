import type { QuotaUsage } from '@trivium/storage-core/ports'
import type { RunProgram } from '../programs/run-program.ts'
import type { Count, OwnerCounts } from './count-owners.ts'
import { knownPrincipals } from './known-principals.ts'

/** Returns the usage of each user and group over several walks. */
export async function ownerUsage(counts: readonly OwnerCounts[], run: RunProgram): Promise<readonly QuotaUsage[]> {
  const [users, groups] = [total(counts.map((one) => one.users)), total(counts.map((one) => one.groups))]
  const unused = { space: 0, files: 0 }
  const [knownUsers, knownGroups] = [
    await knownPrincipals('passwd', [...users.keys()], run),
    await knownPrincipals('group', [...groups.keys()], run),
  ]
  return [
    ...knownUsers.map((user): QuotaUsage => ({ target: { kind: 'user', user }, ...(users.get(user.id) ?? unused) })),
    ...knownGroups.map(
      (group): QuotaUsage => ({ target: { kind: 'group', group }, ...(groups.get(group.id) ?? unused) }),
    ),
  ]
}

function total(maps: readonly ReadonlyMap<string, Count>[]): ReadonlyMap<string, Count> {
  const sums = new Map<string, Count>()
  for (const map of maps) {
    for (const [id, { space, files }] of map) {
      const before = sums.get(id) ?? { space: 0, files: 0 }
      sums.set(id, { space: before.space + space, files: before.files + files })
    }
  }
  return sums
}

/** Returns the usage of each user in each qtree, as far as it is counted. */
export async function treeOwnerUsage(
  counts: ReadonlyMap<string, OwnerCounts>,
  run: RunProgram,
): Promise<readonly QuotaUsage[]> {
  const ids = new Set([...counts.values()].flatMap(({ users }) => [...users.keys()]))
  const known = new Map((await knownPrincipals('passwd', [...ids], run)).map((user) => [user.id, user]))
  return [...counts].flatMap(([qtree, { users }]) =>
    [...users].map(
      ([id, count]) => ({ target: { kind: 'user', user: known.get(id) ?? { id }, qtree }, ...count }) as const,
    ),
  )
}
