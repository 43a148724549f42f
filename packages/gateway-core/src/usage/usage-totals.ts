import { Turns } from '../turns.ts'
import type { UsageGroup, UsageQuery, UsageSummary, UsageTop } from './usage-repository.ts'

/** The sums of a summary. */
export type UsageCounts = Omit<UsageSummary, keyof UsageGroup | 'isOther'>

interface Group {
  /** What summaries are ordered by, in code units. */
  readonly values: readonly string[]
  readonly group: UsageGroup
  readonly counts: SumOfCounts
}

/** Counts to which others are added. */
export type SumOfCounts = { -readonly [Name in keyof UsageCounts]: UsageCounts[Name] }

/** The most groups of which the largest are selected: each is in memory until all records are summed. */
const MAX_GROUPS = 100_000
/** Groups after the limit are removed when there are that many more. */
const SPARE_GROUPS = 1_000

/**
 * Adds usage up to the summaries that a query selects, as it is read. Keeps at most about twice the groups that `limit`
 * shows: a group that is beyond the limit never comes back, since others only move it further away. With `top`, any group
 * can become large, so that each is kept.
 */
export class UsageTotals {
  readonly #limit: number
  readonly #top: UsageTop | undefined
  readonly #sum = noUsage()
  #groups = new Map<string, Group>()
  /** The last group within the limit, once groups were removed. */
  #last: Group | undefined

  constructor({ limit, top }: Pick<UsageQuery, 'limit' | 'top'>) {
    this.#limit = limit
    this.#top = top
  }

  /** Whether there are more groups than can be sorted by size. Nothing more has to be added then. */
  get isTooLarge(): boolean {
    return this.#top !== undefined && this.#groups.size > MAX_GROUPS
  }

  /**
   * Adds to a group. Takes less than a turn of the event loop may.
   *
   * @param values texts by whose code units groups are ordered; equal ones name one group
   * @param group called for the first addition to a group
   */
  add(values: readonly string[], group: () => UsageGroup, counts: UsageCounts): void {
    if (this.#last && inOrder(values, this.#last.values) > 0) return
    if (this.#top) addTo(this.#sum, counts)
    const name = JSON.stringify(values)
    const known = this.#groups.get(name)
    if (known) addTo(known.counts, counts)
    else this.#groups.set(name, { values, group: group(), counts: { ...counts } })
    if (!this.#top && this.#groups.size >= 2 * this.#limit + SPARE_GROUPS) this.#removeLast()
  }

  /** Returns the summaries. Nothing may be added meanwhile. */
  async summaries(): Promise<readonly UsageSummary[] | 'too-large'> {
    if (this.isTooLarge) return 'too-large'
    return this.#top ? this.#largest(this.#top) : this.#sorted().map(summaryOf)
  }

  #sorted(): readonly Group[] {
    return [...this.#groups.values()].sort(inGroupOrder).slice(0, this.#limit)
  }

  #removeLast(): void {
    const kept = this.#sorted()
    this.#groups = new Map(kept.map((group) => [JSON.stringify(group.values), group]))
    this.#last = kept.at(-1)
  }

  async #largest({ count, order }: UsageTop): Promise<readonly UsageSummary[]> {
    const turns = new Turns()
    const bySize = (one: Group, other: Group): number =>
      compare(sizeOf(other.counts, order), sizeOf(one.counts, order)) || inGroupOrder(one, other)
    let largest: Group[] = []
    for (const group of this.#groups.values()) {
      const least = largest[count - 1]
      // Those from `count` on are not sorted yet.
      if (largest.length >= count && least && bySize(group, least) > 0) continue
      largest.push(group)
      if (largest.length >= 2 * count) largest = largest.sort(bySize).slice(0, count)
      else if (largest.length === count) largest.sort(bySize)
      if (turns.isDue) await turns.next()
    }
    largest = largest.sort(bySize).slice(0, count)
    const shown = largest.map(summaryOf)
    if (this.#groups.size <= count) return shown
    const rest = { ...this.#sum }
    for (const { counts } of largest) addTo(rest, counts, -1)
    return [...shown, { isOther: true, ...rest }]
  }
}

const summaryOf = ({ group, counts }: Group): UsageSummary => ({ ...group, ...counts })

function sizeOf(counts: UsageCounts, order: UsageTop['order']): bigint | number {
  if (order === 'tokens') return counts.inputTokens + counts.outputTokens
  return counts[order]
}

const noUsage = (): SumOfCounts => ({
  requests: 0,
  failures: 0,
  partial: 0,
  inputTokens: 0,
  outputTokens: 0,
  cachedTokens: 0,
  cacheWriteTokens: 0,
  reasoningTokens: 0,
  audioTokens: 0,
  searches: 0,
  images: 0,
  cost: 0n,
})

/** Adds to sums, or subtracts from them. */
export function addTo(sum: SumOfCounts, counts: UsageCounts, times: 1 | -1 = 1): void {
  sum.requests += times * counts.requests
  sum.failures += times * counts.failures
  sum.partial += times * counts.partial
  sum.inputTokens += times * counts.inputTokens
  sum.outputTokens += times * counts.outputTokens
  sum.cachedTokens += times * counts.cachedTokens
  sum.cacheWriteTokens += times * counts.cacheWriteTokens
  sum.reasoningTokens += times * counts.reasoningTokens
  sum.audioTokens += times * counts.audioTokens
  sum.searches += times * counts.searches
  sum.images += times * counts.images
  sum.cost += BigInt(times) * counts.cost
}

const inGroupOrder = (one: Group, other: Group): number => inOrder(one.values, other.values)

function inOrder(one: readonly string[], other: readonly string[]): number {
  for (const [place, value] of one.entries()) {
    const order = compare(value, other[place] ?? '')
    if (order !== 0) return order
  }
  return 0
}

const compare = <Value extends string | number | bigint>(one: Value, other: Value): number =>
  one === other ? 0 : one < other ? -1 : 1
