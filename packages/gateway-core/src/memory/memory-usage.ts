import { accountIdOf } from '../accounts/account-id.ts'
import type { UsageId, UsageRecord } from '../usage/usage-record.ts'
import type { UsageGrouping, UsageQuery, UsageRepository, UsageSummary } from '../usage/usage-repository.ts'

/** The capacity of {@link memoryUsage}. */
export interface MemoryUsageOptions {
  /** Maximum number of records. Beyond it, the oldest are dropped. @default 50_000 */
  readonly capacity?: number
}

/** Stores usage records in memory until the process ends or newer records replace them. */
export function memoryUsage({ capacity = 50_000 }: MemoryUsageOptions = {}): UsageRepository {
  const records = new Map<UsageId, UsageRecord>()

  return {
    async append(batch) {
      for (const record of batch) if (!records.has(record.id)) records.set(record.id, record)
      for (const id of records.keys()) {
        if (records.size <= capacity) break
        records.delete(id)
      }
    },

    async summarize(query) {
      const groups = new Map<string, UsageSummary>()
      for (const record of records.values()) {
        if (!matches(record, query)) continue
        const group = groupOf(record, query.groupBy)
        const name = JSON.stringify([accountIdOf(group), group.model, group.day])
        groups.set(name, add(groups.get(name) ?? { ...group, ...noUsage }, record))
      }
      return [...groups.values()].sort(inOrder).slice(0, query.limit)
    },

    async newestBefore(before) {
      let newest: Date | undefined
      for (const { at } of records.values()) if (at < before && (!newest || at > newest)) newest = at
      return newest
    },

    async removeBefore(before) {
      const size = records.size
      for (const { id, at } of records.values()) if (at < before) records.delete(id)
      return size - records.size
    },
  }
}

type Group = Pick<UsageSummary, 'keyId' | 'userId' | 'model' | 'day'>

const noUsage = { requests: 0, failures: 0, partial: 0, inputTokens: 0, outputTokens: 0, images: 0 }

const matches = (record: UsageRecord, { from, to, account }: UsageQuery) =>
  record.at >= from && record.at < to && (account === undefined || accountIdOf(record) === account)

function groupOf({ keyId, userId, model, at }: UsageRecord, groupBy: readonly UsageGrouping[]): Group {
  return {
    ...(keyId !== undefined && groupBy.includes('key') ? { keyId } : {}),
    ...(userId !== undefined && groupBy.includes('key') ? { userId } : {}),
    ...(groupBy.includes('model') ? { model } : {}),
    ...(groupBy.includes('day') ? { day: at.toISOString().slice(0, 10) } : {}),
  }
}

const add = (summary: UsageSummary, record: UsageRecord): UsageSummary => ({
  ...summary,
  requests: summary.requests + 1,
  failures: summary.failures + (record.status >= 400 ? 1 : 0),
  partial: summary.partial + (record.partial ? 1 : 0),
  inputTokens: summary.inputTokens + record.inputTokens,
  outputTokens: summary.outputTokens + record.outputTokens,
  images: summary.images + record.images,
})

const inOrder = (one: Group, other: Group) =>
  compare(accountIdOf(one), accountIdOf(other)) || compare(one.model, other.model) || compare(one.day, other.day)

function compare(one = '', other = ''): number {
  return one === other ? 0 : one < other ? -1 : 1
}
