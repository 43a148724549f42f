import type { Job } from '../jobs/job.ts'
import type { LimitError } from '../quota-rules/check-limits.ts'
import type { NotificationError } from '../quota-rules/check-notifications.ts'
import type { TargetError } from '../quota-rules/check-target.ts'
import type { QuotaRule } from '../quota-rules/quota-rule.ts'
import type { CreateQuotaRule } from '../quota-rules/quota-rules.ts'
import type { FindVolumeError, NamedVolume } from '../volumes/find-volume.ts'

/** The most rules of one import. */
export const MAXIMUM_IMPORTED_RULES = 10_000
/** The most users, groups and qtrees that the rules of one import name. */
export const MAXIMUM_IMPORTED_TARGETS = 20_000
/** The most rules that one import deletes. */
export const MAXIMUM_DELETED_RULES = 10_000

/** The rules that volumes are to have. */
export interface RuleImport {
  /** At most 10,000, for any volumes, with at most 20,000 users, groups and qtrees together. */
  readonly rules: readonly ImportedRule[]
  /**
   * Whether other rules of the named volumes are deleted, at most 10,000. A default rule without limits stays while the
   * import has a rule of its type for the volume.
   *
   * @default false
   */
  readonly deleteMissing?: boolean
  /** A volume whose rules `deleteMissing` deletes although no rule of the import may name it. @default none */
  readonly volume?: NamedVolume
}

/** A rule as it is to be. What is absent is not set, except that an absent `userMapping` stays as it is. */
export interface ImportedRule extends CreateQuotaRule {
  /** The number of the line in its file, which errors name. */
  readonly line: number
}

/** The differences between an import and the stored rules. */
export interface RuleImportPlan {
  /** In the order of the import. Deletions come last. Default rules that are created beside others are not listed. */
  readonly changes: readonly RuleImportChange[]
  /** The number of rules that are stored as the import has them. */
  readonly unchanged: number
}

/** One difference. A rule to create has no lasting id. */
export type RuleImportChange =
  | { readonly action: 'create'; readonly line: number; readonly after: QuotaRule }
  | { readonly action: 'modify'; readonly line: number; readonly before: QuotaRule; readonly after: QuotaRule }
  | { readonly action: 'delete'; readonly before: QuotaRule }

/** An import that was applied, with one job for each changed volume whose quotas are on. */
export interface AppliedRuleImport extends RuleImportPlan {
  readonly jobs: readonly Job[]
}

/** Why an import was refused, with nothing changed. Later failures are in the jobs. */
export type RuleImportError =
  | FindVolumeError
  | { readonly type: 'import-line-refused'; readonly line: number; readonly error: ImportLineError }
  | { readonly type: 'too-many-deletions'; readonly maximum: number }
  /** Others changed the same rules during each of several attempts. */
  | { readonly type: 'import-conflict' }

/** Why the rule of one line was refused. */
export type ImportLineError =
  | FindVolumeError
  | TargetError
  | LimitError
  | NotificationError
  | { readonly type: 'quota-unsupported'; readonly message: string }
  /** An earlier line of the import has the target, or one of the users. */
  | { readonly type: 'import-target-repeated'; readonly line: number }
  /** A stored rule has some of the users of the line, or more than those. */
  | { readonly type: 'import-target-overlaps' }
  | { readonly type: 'too-many-import-targets'; readonly maximum: number }
