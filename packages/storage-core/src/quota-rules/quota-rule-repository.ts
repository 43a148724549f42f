import type { Job } from '../jobs/job.ts'
import type { Page, PageRequest } from '../query/page.ts'
import type { Query } from '../query/query.ts'
import type { VolumeId } from '../volumes/volume.ts'
import type { QuotaLimitsChange } from './quota-limits.ts'
import type { QuotaRule, QuotaRuleField, QuotaRuleId } from './quota-rule.ts'

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
  find(uuid: QuotaRuleId): Promise<QuotaRule | undefined>
  list(request: PageRequest<QuotaRuleField>): Promise<Page<QuotaRule>>
  count(query: Query<QuotaRuleField>): Promise<number>
  /** Lists every rule of a volume, in any order. */
  listOfVolume(volume: VolumeId): Promise<readonly QuotaRule[]>
  /**
   * @returns the changed rule, or `soft-above-hard`, with nothing changed, when a soft limit would exceed its hard
   *   limit
   */
  update(uuid: QuotaRuleId, change: QuotaRuleChange, job?: Job): Promise<QuotaRule | 'soft-above-hard' | undefined>
  /** @returns the removed rule */
  remove(uuid: QuotaRuleId, job?: Job): Promise<QuotaRule | undefined>
  /** Sets the id of a qtree in every rule of the volume that names it. */
  linkQtree(volume: VolumeId, name: string, id: number): Promise<void>
  /** Changes the name of a qtree in every rule of the volume that names it. Atomic. */
  renameQtree(volume: VolumeId, from: string, to: string): Promise<void>
  /** Removes every rule that names the qtree. @returns the removed rules */
  removeQtree(volume: VolumeId, name: string): Promise<readonly QuotaRule[]>
}

/** A change of a rule. Absent members stay unchanged. */
export interface QuotaRuleChange {
  readonly limits?: QuotaLimitsChange
  readonly userMapping?: boolean
}
