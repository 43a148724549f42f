import { compileQuery } from '../query/compile-query.ts'
import { defineFields } from '../query/field-catalogue.ts'
import type { PageRequest } from '../query/page.ts'
import type { Clause, Query } from '../query/query.ts'
import { type QuotaType, quotaTypes } from '../quota-rules/quota-target.ts'
import type { EnforcedQuota } from '../quotas/enforced-quota.ts'
import type { QuotaReportField } from './quota-report.ts'

const countsOfFiles: ReadonlySet<QuotaReportField> = new Set(['filesUsed', 'filesHardPercent', 'filesSoftPercent'])

/** Whether a filter or an order depends on numbers of files. */
export const mentionsFiles = ({ query, order }: Pick<PageRequest<QuotaReportField>, 'query' | 'order'>): boolean =>
  order.some(({ field }) => countsOfFiles.has(field)) ||
  query.all.some(({ any }) => any.some(({ field }) => countsOfFiles.has(field)))

/** The qtrees that a filter names, all others of which it excludes. `undefined` where it names none. */
export function neededQtrees({ all }: Query<QuotaReportField>): readonly string[] | undefined {
  for (const { any } of all) {
    const names = any.flatMap(({ field, negated, term }) =>
      field === 'qtreeName' && !negated && term.kind === 'equals' ? String(term.value) : [],
    )
    if (names.length === any.length) return names
  }
  return undefined
}

/** Whether a filter can match reports of users or groups for which quotas are enforced. */
export function needsOwners({ all }: Query<QuotaReportField>, enforced: readonly EnforcedQuota[]): boolean {
  const ofTypes = all.flatMap(({ any }): Clause<'type'>[] => {
    const conditions = any.flatMap(({ field, ...rest }) => (field === 'type' ? [{ field, ...rest }] : []))
    return conditions.length === any.length ? [{ any: conditions }] : []
  })
  const matches = compileQuery(typeOnly, { all: ofTypes })
  return enforced.some(({ target: { type } }) => type !== 'tree' && matches(type))
}

const typeOnly = defineFields<QuotaType>()({ type: { type: 'enum', values: quotaTypes, read: (type) => type } }, [
  'type',
])
