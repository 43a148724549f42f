import type { Position } from '../query/page.ts'
import { oneOf } from '../query/query.ts'
import { companionRule, isVolumeDefault } from '../quota-rules/companion-rule.ts'
import type { RuleDraft } from '../quota-rules/draft-rule.ts'
import type { QuotaRule, QuotaRuleId } from '../quota-rules/quota-rule.ts'
import { type QuotaType, targetKeys } from '../quota-rules/quota-target.ts'
import { isSameRule } from '../quota-rules/same-rule.ts'
import { nextTurn } from '../scheduling/next-turn.ts'
import type { StorageRepositories } from '../storage-repositories.ts'
import type { Volume, VolumeId } from '../volumes/volume.ts'
import { MAXIMUM_DELETED_RULES, type RuleImportChange } from './rule-import.ts'

type Stores = Pick<StorageRepositories, 'quotaRules' | 'qtrees'>

/** A line of an import, with its checked rule. */
export interface DraftedLine {
  readonly line: number
  readonly draft: RuleDraft
  readonly keys: readonly string[]
}

/** The part of an import that is about one volume. */
export interface PlannedVolume {
  readonly volume: Volume
  /** Claims the target keys of a line. @returns the earlier line that has one of them, or `undefined` */
  claim(line: DraftedLine): number | undefined
  /** Compares lines with the stored rules, in their order. */
  compare(lines: readonly DraftedLine[]): Promise<readonly ComparedLine[]>
  /** Returns the default rules that the created rules need. */
  companions(): Promise<readonly QuotaRule[]>
  /** Returns the stored rules that no line has, or `undefined` when they are more than `maximum`. */
  missing(maximum?: number): Promise<readonly QuotaRule[] | undefined>
}

/** A difference, the stored rule of a line without one, or why it has neither. */
export type ComparedLine = RuleImportChange | { readonly action: 'keep'; readonly before: QuotaRule } | 'overlaps'

const RULES_PER_PAGE = 1000

export function planVolume({ quotaRules, qtrees }: Stores, volume: Volume, newId: () => QuotaRuleId): PlannedVolume {
  const { uuid, name, svm } = volume
  /** The line of each target key. */
  const claimed = new Map<string, number>()
  const types = new Set<QuotaType>()
  const needed = new Map<QuotaType, QuotaRule>()
  const kept = new Set<QuotaRuleId>()
  let qtreeIds: Promise<ReadonlyMap<string, number>> | undefined

  const createdBy = async (draft: RuleDraft): Promise<QuotaRule> => {
    const { qtree = '' } = draft.target
    if (qtree !== '') qtreeIds ??= idsOfQtrees({ qtrees }, uuid)
    const qtreeId = (await qtreeIds)?.get(qtree)
    const rule: QuotaRule = {
      uuid: newId(),
      svm,
      volume: { uuid, name },
      ...draft,
      ...(qtree !== '' && qtreeId !== undefined && { qtreeId }),
    }
    if (!needed.has(rule.target.type)) {
      const companion = companionRule(rule, newId)
      if (companion) needed.set(rule.target.type, companion)
    }
    return rule
  }

  return {
    volume,
    claim: ({ line, draft, keys }) => {
      for (const key of keys) {
        const earlier = claimed.get(key)
        if (earlier !== undefined) return earlier
      }
      for (const key of keys) claimed.set(key, line)
      types.add(draft.target.type)
      return undefined
    },
    compare: async (lines) => {
      const stored = await quotaRules.findByKeys(
        uuid,
        lines.flatMap(({ keys }) => keys),
      )
      const byKey = new Map(stored.flatMap((rule) => targetKeys(rule.target).map((key) => [key, rule] as const)))
      const compared: ComparedLine[] = []
      for (const { line, draft, keys } of lines) {
        const found = new Set(keys.map((key) => byKey.get(key)))
        const [before] = found
        if (found.size > 1) compared.push('overlaps')
        else if (before === undefined) compared.push({ action: 'create', line, after: await createdBy(draft) })
        else if (targetKeys(before.target).length !== keys.length) compared.push('overlaps')
        else {
          kept.add(before.uuid)
          const { gracePeriodSeconds: _period, thresholds: _thresholds, ...lasting } = before
          // The order of users stays as it is stored.
          const after: QuotaRule = { ...lasting, ...draft, target: before.target }
          compared.push(
            isSameRule(before, after) ? { action: 'keep', before } : { action: 'modify', line, before, after },
          )
        }
      }
      return compared
    },
    companions: async () => {
      const wanted = [...needed.values()].filter(({ target }) => !targetKeys(target).some((key) => claimed.has(key)))
      if (wanted.length === 0) return []
      const stored = await quotaRules.findByKeys(
        uuid,
        wanted.flatMap(({ target }) => targetKeys(target)),
      )
      return wanted.filter(({ target }) => !stored.some((rule) => rule.target.type === target.type))
    },
    missing: async (maximum = MAXIMUM_DELETED_RULES) => {
      const isNeeded = (rule: QuotaRule) =>
        isVolumeDefault(rule) && types.has(rule.target.type) && Object.keys(rule.limits).length === 0
      const query = { all: [oneOf('volumeUuid', [uuid])] }
      const missing: QuotaRule[] = []
      for (let start: Position | undefined, isLast = false; !isLast; ) {
        const page = await quotaRules.list({ query, order: [], limit: RULES_PER_PAGE, ...(start && { start }) })
        missing.push(...page.records.filter((rule) => !kept.has(rule.uuid) && !isNeeded(rule)))
        if (missing.length > maximum) return undefined
        start = page.next
        isLast = page.next === undefined
        await nextTurn()
      }
      return missing
    },
  }
}

/** The ids of a volume's qtrees by their names. */
export async function idsOfQtrees(
  { qtrees }: Pick<StorageRepositories, 'qtrees'>,
  volume: VolumeId,
): Promise<ReadonlyMap<string, number>> {
  const query = { all: [oneOf('volumeUuid', [volume])] }
  const { records } = await qtrees.list({ query, order: [], limit: 5000 })
  return new Map(records.map(({ name, id }) => [name, id]))
}
