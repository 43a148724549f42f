import type { Job } from '../jobs/job.ts'
import type { Page, PageRequest } from '../query/page.ts'
import type { Query } from '../query/query.ts'
import type { VolumeId } from '../volumes/volume.ts'
import type { QuotaRule, QuotaRuleField, QuotaRuleId } from './quota-rule.ts'
import type { QuotaRuleChange } from './quota-rule-change.ts'

/**
 * The store of quota rules. A rejection means that the store failed. An absent rule is `undefined`.
 *
 * A `job` is added in the same atomic step as the change of a rule, and only if that happens.
 */
export interface QuotaRuleRepository {
  /**
   * Adds a rule, together with `companion` unless the volume already has a rule of its target. Atomic.
   *
   * @returns which of the two were added. Neither is when a rule of the same volume shares a target key with `rule`
   */
  add(
    rule: QuotaRule,
    companion?: QuotaRule,
    job?: Job,
  ): Promise<{ readonly rule: boolean; readonly companion: boolean }>
  /** Returns a rule, or `undefined`. */
  find(uuid: QuotaRuleId): Promise<QuotaRule | undefined>
  /** Returns one page of the rules of all volumes. */
  list(request: PageRequest<QuotaRuleField>): Promise<Page<QuotaRule>>
  /** Counts the rules of all volumes that match. */
  count(query: Query<QuotaRuleField>): Promise<number>
  /** Lists every rule of a volume, in any order. */
  listOfVolume(volume: VolumeId): Promise<readonly QuotaRule[]>
  /**
   * Changes a rule. Atomic: the soft limits are compared with the hard ones that result.
   *
   * @returns the changed rule, `undefined` when it is absent, or `soft-above-hard`, with nothing changed, when a soft limit would exceed its hard
   *   limit
   */
  update(uuid: QuotaRuleId, change: QuotaRuleChange, job?: Job): Promise<QuotaRule | 'soft-above-hard' | undefined>
  /** Removes a rule, and frees its target for another. Atomic. @returns the removed rule, or `undefined` */
  remove(uuid: QuotaRuleId, job?: Job): Promise<QuotaRule | undefined>
  /** Returns the rules of a volume that have at least one of these target keys, each once and in any order. */
  findByKeys(volume: VolumeId, keys: readonly string[]): Promise<readonly QuotaRule[]>
  /**
   * Adds, replaces and removes many rules, together with jobs. Atomic. Other work of the process continues meanwhile.
   *
   * @returns `false`, with nothing changed, when a rule of the volume has a target key of an added one, or when a rule to
   *   replace or to remove is no longer stored as given
   */
  applyBatch(batch: QuotaRuleBatch): Promise<boolean>
  /** Sets the id of a qtree in every rule of the volume that names it. An empty name has no effect. */
  linkQtree(volume: VolumeId, name: string, id: number): Promise<void>
  /**
   * Changes the name of a qtree in every rule of the volume that names it. Atomic.
   *
   * @returns `false`, with nothing changed, when another rule of the volume has a target that one of them would get
   */
  renameQtree(volume: VolumeId, from: string, to: string): Promise<boolean>
  /** Removes every rule of the volume that names the qtree. Atomic. @returns the removed rules, in any order */
  removeQtree(volume: VolumeId, name: string): Promise<readonly QuotaRule[]>
}

/** Changes of many rules in one step. No rule and no target key occurs twice. */
export interface QuotaRuleBatch {
  readonly added: readonly QuotaRule[]
  /** Each is added unless the volume then has a rule of its target. */
  readonly companions: readonly QuotaRule[]
  /** Rules as they are stored, each with the rule of the same id and target that replaces it. */
  readonly replaced: readonly { readonly before: QuotaRule; readonly after: QuotaRule }[]
  /** Rules as they are stored. */
  readonly removed: readonly QuotaRule[]
  /** Rules as they are stored, which stay so. */
  readonly kept: readonly QuotaRule[]
  readonly jobs: readonly Job[]
}
