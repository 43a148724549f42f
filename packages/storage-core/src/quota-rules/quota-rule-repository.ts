import type { Job } from '../jobs/job.ts'
import type { Page, PageRequest } from '../query/page.ts'
import type { Query } from '../query/query.ts'
import type { VolumeId } from '../volumes/volume.ts'
import type { QuotaLimitsChange } from './quota-limits.ts'
import type { QuotaRule, QuotaRuleField, QuotaRuleId } from './quota-rule.ts'

/**
 * Where quota rules are kept. Rejections mean that the store failed; an absent rule is `undefined`.
 *
 * A `job` is what follows from a change of a rule: it is added in the same atomic step, and only where that happens.
 */
export interface QuotaRuleRepository {
  /**
   * Adds a rule, and `companion` too unless there is none or the volume has a rule of its target already: one atomic
   * step.
   *
   * @returns which of the two were added: none when a rule of the same volume shares a target key with `rule`
   */
  add(
    rule: QuotaRule,
    companion?: QuotaRule,
    job?: Job,
  ): Promise<{ readonly rule: boolean; readonly companion: boolean }>
  find(uuid: QuotaRuleId): Promise<QuotaRule | undefined>
  list(request: PageRequest<QuotaRuleField>): Promise<Page<QuotaRule>>
  count(query: Query<QuotaRuleField>): Promise<number>
  /** Every rule of a volume, in no order. */
  listOfVolume(volume: VolumeId): Promise<readonly QuotaRule[]>
  /** @returns the changed rule; `soft-above-hard`, with nothing changed, where a soft limit would pass its hard one */
  update(uuid: QuotaRuleId, change: QuotaRuleChange, job?: Job): Promise<QuotaRule | 'soft-above-hard' | undefined>
  /** @returns the rule as it was */
  remove(uuid: QuotaRuleId, job?: Job): Promise<QuotaRule | undefined>
  /** Gives every rule of the volume that names the qtree its id. */
  linkQtree(volume: VolumeId, name: string, id: number): Promise<void>
  /** Makes every rule that names a qtree name it anew, in one atomic step; their ids stay. */
  renameQtree(volume: VolumeId, from: string, to: string): Promise<void>
  /** Removes every rule that names the qtree. @returns the rules as they were */
  removeQtree(volume: VolumeId, name: string): Promise<readonly QuotaRule[]>
}

/** What to change; what is absent stays as it is. */
export interface QuotaRuleChange {
  readonly limits?: QuotaLimitsChange
  readonly userMapping?: boolean
}
