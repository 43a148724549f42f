import { err, ok, type Result } from 'neverthrow'
import { draftRule } from '../quota-rules/draft-rule.ts'
import type { QuotaRule, QuotaRuleId } from '../quota-rules/quota-rule.ts'
import { targetKeys } from '../quota-rules/quota-target.ts'
import { describeUnsupported } from '../quotas/describe-unsupported.ts'
import { limitTargetKey } from '../quotas/enforced-limits.ts'
import { graceProbe, refusedLimit } from '../quotas/grace-probe.ts'
import { nextTurn } from '../scheduling/next-turn.ts'
import type { StorageRepositories } from '../storage-repositories.ts'
import type { AttachedVolumes } from '../volumes/attached-volumes.ts'
import { type FindVolumeError, findVolume, type NamedVolume } from '../volumes/find-volume.ts'
import type { Volume, VolumeId } from '../volumes/volume.ts'
import { type ComparedLine, type DraftedLine, type PlannedVolume, planVolume } from './planned-volume.ts'
import {
  type ImportedRule,
  type ImportLineError,
  MAXIMUM_DELETED_RULES,
  MAXIMUM_IMPORTED_TARGETS,
  type RuleImport,
  type RuleImportChange,
  type RuleImportError,
  type RuleImportPlan,
} from './rule-import.ts'

export interface PlanImportOptions {
  /** Returns a rule that has the right types, without getters. @throws TypeError, RangeError */
  readonly checkRule: (rule: ImportedRule) => ImportedRule
  readonly repositories: StorageRepositories
  readonly attached: AttachedVolumes
  readonly newId: () => QuotaRuleId
}

/** A plan, and what applying it needs. */
export interface WholePlan extends RuleImportPlan {
  readonly companions: readonly QuotaRule[]
  /** The stored rules of the unchanged lines. */
  readonly kept: readonly QuotaRule[]
  /** The volumes of the changes, in their order. */
  readonly volumes: readonly Volume[]
}

/** After this many lines or targets, other work of the process continues. */
const LINES_PER_TURN = 200
const TARGETS_PER_TURN = 400

/** Compares an import with the stored rules. Reads only the rules of its targets, or all of a volume to delete others. */
export async function planImport(
  { checkRule, repositories, attached, newId }: PlanImportOptions,
  { rules, deleteMissing = false, volume: named }: RuleImport,
): Promise<Result<WholePlan, RuleImportError>> {
  const planned = new Map<VolumeId, PlannedVolume>()
  const found = new Map<string, Result<PlannedVolume, FindVolumeError>>()
  let targets = 0

  async function volumeOf({ svm, volume, among }: NamedVolume): Promise<Result<PlannedVolume, FindVolumeError>> {
    const key = JSON.stringify([svm?.uuid, svm?.name, volume?.uuid, volume?.name].map((part) => part ?? null))
    const known = found.get(key)
    if (known) return known
    const request = { ...(svm && { svm }), ...(volume && { volume }), ...(among && { among }) }
    const looked = (await findVolume(repositories, request, { needsSvm: true })).map((one) => {
      const plan = planned.get(one.uuid) ?? planVolume(repositories, one, newId)
      planned.set(one.uuid, plan)
      return plan
    })
    found.set(key, looked)
    return looked
  }

  async function draftLine(rule: ImportedRule): Promise<Result<[PlannedVolume, DraftedLine], ImportLineError>> {
    const plan = await volumeOf(rule)
    if (plan.isErr()) return err(plan.error)
    return draftRule(rule, { canLackLimits: true }).andThen((draft) => {
      const drafted = { line: rule.line, draft, keys: targetKeys(draft.target) }
      targets += drafted.keys.length
      if (targets > MAXIMUM_IMPORTED_TARGETS) {
        return err({ type: 'too-many-import-targets', maximum: MAXIMUM_IMPORTED_TARGETS } as const)
      }
      const earlier = plan.value.claim(drafted)
      if (earlier !== undefined) return err({ type: 'import-target-repeated', line: earlier } as const)
      return ok<[PlannedVolume, DraftedLine]>([plan.value, drafted])
    })
  }

  /** Returns the first line with a limit that the file system cannot enforce. */
  async function unsupportedLine(volume: VolumeId, changes: readonly LineChange[]) {
    const limits = changes.flatMap(({ after }) => graceProbe(after))
    const unsupported = (limits.length > 0 && (await attached.backend(volume)?.unsupported(limits))) || []
    if (unsupported.length === 0) return undefined
    const refusals = Map.groupBy(unsupported, ({ target }) => limitTargetKey(target))
    for (const { line, after } of changes) {
      const keys = new Set(graceProbe(after).map(({ target }) => limitTargetKey(target)))
      const [first, ...others] = [...keys].flatMap((key) => refusals.get(key) ?? [])
      if (!first) continue
      const message = describeUnsupported([refusedLimit(after, [first, ...others])])
      return refused(line, { type: 'quota-unsupported', message })
    }
    const message = describeUnsupported(unsupported)
    return refused(changes[0]?.line ?? 0, { type: 'quota-unsupported', message })
  }

  const changes: RuleImportChange[] = []
  const kept: QuotaRule[] = []

  /** Compares some lines with the stored rules. @returns the first mistake */
  async function planLines(lines: readonly (readonly [PlannedVolume, DraftedLine])[]) {
    const compared = new Map<DraftedLine, ComparedLine>()
    const mistakes: LineRefused[] = []
    for (const [plan, own] of Map.groupBy(lines, ([of]) => of)) {
      const drafts = own.map(([, drafted]) => drafted)
      const outcomes = await plan.compare(drafts)
      for (const [index, drafted] of drafts.entries()) compared.set(drafted, outcomes[index] ?? 'overlaps')
      const mistake = await unsupportedLine(plan.volume.uuid, outcomes.filter(isLineChange))
      if (mistake) mistakes.push(mistake)
    }
    for (const [drafted, outcome] of compared) {
      if (outcome === 'overlaps') mistakes.push(refused(drafted.line, { type: 'import-target-overlaps' }))
    }
    for (const [, drafted] of lines) {
      const outcome = compared.get(drafted)
      if (outcome === undefined || outcome === 'overlaps') continue
      if (outcome.action === 'keep') kept.push(outcome.before)
      else changes.push(outcome)
    }
    return mistakes.toSorted((left, right) => left.line - right.line)[0]
  }

  for (let next = 0; next < rules.length; ) {
    if (next > 0) await nextTurn()
    const lines: [PlannedVolume, DraftedLine][] = []
    let mistake: LineRefused | undefined
    const [end, most] = [next + LINES_PER_TURN, targets + TARGETS_PER_TURN]
    for (; next < Math.min(end, rules.length) && targets < most && !mistake; next += 1) {
      const given = rules[next]
      if (!given) break
      const rule = checkRule(given)
      const drafted = await draftLine(rule)
      if (drafted.isErr()) mistake = refused(rule.line, drafted.error)
      else lines.push(drafted.value)
    }
    mistake = (await planLines(lines)) ?? mistake
    if (mistake) return err(mistake)
  }
  if (named) {
    const looked = await volumeOf(named)
    if (looked.isErr()) return err(looked.error)
  }
  const companions: QuotaRule[] = []
  for (const plan of planned.values()) companions.push(...(await plan.companions()))
  let deleted = 0
  for (const plan of deleteMissing ? planned.values() : []) {
    const missing = await plan.missing(MAXIMUM_DELETED_RULES - deleted)
    if (!missing) return err({ type: 'too-many-deletions', maximum: MAXIMUM_DELETED_RULES })
    deleted += missing.length
    for (const before of missing) changes.push({ action: 'delete', before })
  }
  const changed = new Set(
    changes.map(({ before, after }: { before?: QuotaRule; after?: QuotaRule }) => (before ?? after)?.volume.uuid),
  )
  const volumes = [...planned.values()].flatMap(({ volume }) => (changed.has(volume.uuid) ? volume : []))
  return ok({ changes, unchanged: kept.length, kept, companions, volumes })
}

type LineRefused = Extract<RuleImportError, { type: 'import-line-refused' }>

const refused = (line: number, error: ImportLineError): LineRefused => ({ type: 'import-line-refused', line, error })

type LineChange = Exclude<RuleImportChange, { action: 'delete' }>

const isLineChange = (outcome: ComparedLine): outcome is LineChange =>
  outcome !== 'overlaps' && (outcome.action === 'create' || outcome.action === 'modify')
