import { accountIdOf } from '../accounts/account-id.ts'
import { NO_DOLLARS } from '../money/dollars.ts'
import { Turns } from '../turns.ts'
import { usageGroupings } from './usage-bounds.ts'
import type { UsageRecord } from './usage-record.ts'
import type { UsageGroup, UsageGrouping, UsageQuery, UsageSummary } from './usage-repository.ts'
import { addTo, type SumOfCounts, type UsageCounts, UsageTotals } from './usage-totals.ts'

/** Sums records as a `UsageRepository` does, in several turns of the event loop. */
export async function summarizeRecords(
  records: readonly UsageRecord[],
  query: UsageQuery,
): Promise<readonly UsageSummary[] | 'too-large'> {
  const turns = new Turns()
  const groupings = usageGroupings.filter((name) => query.groupBy.includes(name))
  const totals = new UsageTotals(query)
  // By sets of tags first, so that each sum and not each record is added to each of its tags.
  const sets = new Map<string, TagSet>()
  for (const record of records) {
    if (turns.isDue) await turns.next()
    if (totals.isTooLarge) break
    if (!matches(record, query)) continue
    const parts = groupings.map((name) => partOf(record, name))
    const counts = countsOf(record)
    if (!groupings.includes('tag')) {
      totals.add(valuesOf(parts), () => groupOf(parts), counts)
      continue
    }
    const tags = tagsOf(record)
    const name = JSON.stringify([valuesOf(parts), tags])
    const known = sets.get(name)
    if (known) addTo(known.counts, counts)
    else sets.set(name, { parts, tags, counts: { ...counts } })
  }
  for (const { parts, tags, counts } of sets.values()) {
    if (turns.isDue) await turns.next()
    if (totals.isTooLarge) break
    for (const tag of tags) {
      const tagged = parts.map((one, place) => (groupings[place] === 'tag' ? part('tag', tag) : one))
      totals.add(valuesOf(tagged), () => groupOf(tagged), counts)
    }
  }
  return totals.summaries()
}

interface TagSet {
  readonly parts: readonly Part[]
  readonly tags: readonly (string | undefined)[]
  readonly counts: SumOfCounts
}

const valuesOf = (parts: readonly Part[]): readonly string[] => parts.flatMap(({ values }) => values)

const groupOf = (parts: readonly Part[]): UsageGroup => Object.assign({}, ...parts.map(({ group }) => group))

const countsOf = (record: UsageRecord): UsageCounts => ({
  requests: 1,
  failures: record.status >= 400 ? 1 : 0,
  partial: record.partial ? 1 : 0,
  inputTokens: record.inputTokens,
  outputTokens: record.outputTokens,
  cachedTokens: record.cachedTokens,
  cacheWriteTokens: record.cacheWriteTokens,
  reasoningTokens: record.reasoningTokens,
  audioTokens: record.audioInputTokens + record.audioOutputTokens,
  searches: record.searches,
  images: record.images,
  cost: BigInt(record.cost ?? NO_DOLLARS),
})

const filtered = ['personId', 'teamId', 'model', 'provider', 'upstreamModel', 'status', 'operation', 'endUser'] as const

function matches(record: UsageRecord, query: UsageQuery): boolean {
  const { from, to, account, tag } = query
  return (
    record.at >= from &&
    record.at < to &&
    (account === undefined || accountIdOf(record) === account) &&
    (tag === undefined || record.tags?.includes(tag) === true) &&
    filtered.every((name) => query[name] === undefined || record[name] === query[name])
  )
}

const tagsOf = ({ tags = [] }: UsageRecord): readonly (string | undefined)[] => (tags.length === 0 ? [undefined] : tags)

/** The value of one grouping, and the texts by which it is sorted. */
interface Part {
  readonly group: UsageGroup
  readonly values: readonly string[]
}

/** Returns the part of a record; an empty one of tags, of which it can have several. */
function partOf(record: UsageRecord, grouping: UsageGrouping): Part {
  const { keyId, userId, personId } = record
  const time = record.at.toISOString()
  switch (grouping) {
    case 'key':
      return { group: { ...of('keyId', keyId), ...of('userId', userId) }, values: [accountIdOf(record) ?? ''] }
    case 'user':
      return {
        group: { ...of('userId', userId), ...of('personId', personId) },
        values: [userId === undefined ? '' : (accountIdOf({ userId, keyId: undefined }) ?? ''), personId ?? ''],
      }
    case 'team':
      return part('teamId', record.teamId)
    case 'tag':
      return part('tag', undefined)
    case 'hour':
      return part('hour', `${time.slice(0, 13)}:00Z`)
    case 'day':
      return part('day', time.slice(0, 10))
    case 'month':
      return part('month', time.slice(0, 7))
    default:
      return part(grouping, record[grouping])
  }
}

const of = <Name extends keyof UsageGroup>(name: Name, value: UsageGroup[Name] | undefined): UsageGroup =>
  value === undefined ? {} : { [name]: value }

const part = <Name extends keyof UsageGroup>(name: Name, value: UsageGroup[Name] | undefined): Part => ({
  group: of(name, value),
  values: [value === undefined ? '' : String(value)],
})
