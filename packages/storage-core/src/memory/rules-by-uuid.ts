import { compareValues } from '../query/compare-values.ts'
import { compileQuery } from '../query/compile-query.ts'
import type { Page, PageRequest } from '../query/page.ts'
import type { QuotaRule } from '../quota-rules/quota-rule.ts'
import { type QuotaRuleField, type QuotaRuleId, quotaRuleFields } from '../quota-rules/quota-rule.ts'

/** Rules in the order of their ids, which is the default order of lists. Such lists then need no sorting. */
export interface RulesByUuid {
  get(uuid: QuotaRuleId): QuotaRule | undefined
  /** Adds a rule, or replaces the one with the same id. */
  set(rule: QuotaRule): void
  delete(uuid: QuotaRuleId): void
  values(): Iterable<QuotaRule>
  /** Returns the same page as {@link pageInMemory} for a request without an order. */
  page(request: PageRequest<QuotaRuleField>): Page<QuotaRule>
}

export function createRulesByUuid(): RulesByUuid {
  const rules = new Map<QuotaRuleId, QuotaRule>()
  let sorted: QuotaRuleId[] = []
  let isSorted = true

  const uuids = (): readonly QuotaRuleId[] => {
    if (!isSorted) sorted = [...rules.keys()].sort(compareValues)
    isSorted = true
    return sorted
  }
  return {
    get: (uuid) => rules.get(uuid),
    set: (rule) => {
      if (!rules.has(rule.uuid)) isSorted = false
      rules.set(rule.uuid, rule)
    },
    delete: (uuid) => {
      if (rules.delete(uuid)) isSorted = false
    },
    values: () => rules.values(),
    page: ({ query, start, limit }) => {
      const ids = uuids()
      const matches = compileQuery(quotaRuleFields, query)
      const records: QuotaRule[] = []
      for (let index = start ? firstFrom(ids, String(start[0] ?? '')) : 0; index < ids.length; index += 1) {
        const uuid = ids[index]
        const rule = uuid && rules.get(uuid)
        if (!rule || !matches(rule)) continue
        if (records.length === limit) return { records, next: [rule.uuid] }
        records.push(rule)
      }
      return { records }
    },
  }
}

/** The index of the first id that is not before `wanted`. */
function firstFrom(uuids: readonly string[], wanted: string): number {
  let low = 0
  let high = uuids.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (compareValues(uuids[middle] ?? '', wanted) < 0) low = middle + 1
    else high = middle
  }
  return low
}
