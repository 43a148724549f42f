import type { QuotaUsage } from '@trivium/storage-core/ports'
import type { RunProgram } from '../programs/run-program.ts'
import type { Count, OwnerCounts } from './count-owners.ts'
import { knownPrincipal } from './known-principals.ts'

/** Returns the usage of each user and group over several walks. */
export async function ownerUsage(counts: readonly OwnerCounts[], run: RunProgram): Promise<readonly QuotaUsage[]> {
  const usage: QuotaUsage[] = []
  for (const [id, count] of total(counts.map(({ users }) => users))) {
    usage.push({ target: { kind: 'user', user: await knownPrincipal('passwd', id, run) }, ...count })
  }
  for (const [id, count] of total(counts.map(({ groups }) => groups))) {
    usage.push({ target: { kind: 'group', group: await knownPrincipal('group', id, run) }, ...count })
  }
  return usage
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
