import type { QuotaReport } from '../quota-reports/quota-report.ts'
import type { QuotaLimitName } from '../quota-rules/quota-limits.ts'
import type { LimitTarget, QuotaNotice } from '../volumes/volume-backend.ts'

const dimensions = [
  ['spaceSoft', 'space'],
  ['filesSoft', 'files'],
] as const satisfies readonly (readonly [QuotaLimitName, 'space' | 'files'])[]

/** Compares reports with the earlier ones, for file systems that do not report soft limits by themselves. */
export function createSoftLimitWatch(): (reports: readonly QuotaReport[]) => readonly QuotaNotice[] {
  const exceeded = new Set<string>()
  return (reports) => {
    const seen = new Set<string>()
    const notices = reports.flatMap((report) =>
      dimensions.flatMap(([limit, of]): readonly QuotaNotice[] => {
        const allowed = report.limits[limit]
        const key = `${report.volume.uuid}/${report.index}/${limit}`
        const used = report.used[of]
        if (allowed === undefined) exceeded.delete(key)
        if (allowed === undefined || used === undefined) return []
        if (used <= allowed) {
          if (!exceeded.delete(key)) return []
          return [{ type: 'soft-limit-normal', target: targetOf(report), limit, used, allowed }]
        }
        seen.add(key)
        if (exceeded.has(key)) return []
        exceeded.add(key)
        return [{ type: 'soft-limit-exceeded', target: targetOf(report), limit, used, allowed }]
      }),
    )
    return notices
  }
}

function targetOf({ type, users, group, qtree }: QuotaReport): LimitTarget {
  if (type === 'tree') return { kind: 'tree', qtree: qtree?.name ?? '' }
  const scope = qtree ? { qtree: qtree.name } : {}
  const [first, ...others] = users.map(({ id, name }) => (id === undefined ? { name: name ?? '' } : { id }))
  if (type === 'user') return { kind: 'users', users: [first ?? { name: '' }, ...others], ...scope }
  return { kind: 'group', group: group?.id === undefined ? { name: group?.name ?? '' } : { id: group.id }, ...scope }
}
