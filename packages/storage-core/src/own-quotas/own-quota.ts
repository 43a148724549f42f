import type { QuotaReport, ReportedPrincipal } from '../quota-reports/quota-report.ts'
import type { UnavailableUsage } from '../quota-reports/quota-reports.ts'

/** What one user uses, and may use. */
export interface OwnQuotas {
  /** The user, with both name and id where the file systems know them. */
  readonly user: ReportedPrincipal
  /**
   * The limits of the user, of groups of users with the user, and of the qtrees in which files of the user are. Ordered
   * by SVM, volume, type and qtree. At most 1,000.
   */
  readonly quotas: readonly OwnQuota[]
  /** Whether there are more than those. */
  readonly isCut: boolean
  /** The volumes whose usage cannot be read. */
  readonly unavailable: readonly UnavailableUsage[]
  /** The names of volumes that are still counting who owns the files of their qtrees. Their qtrees may be missing. */
  readonly counting: readonly string[]
}

/** A limit that applies to a user, and the usage that counts towards it. */
export interface OwnQuota extends QuotaReport {
  /** What the user owns of the files in a qtree. Absent for users and groups of users, whose use is the quota's. */
  readonly own?: OwnUse
  /** The other users whose files count towards it, without root, the largest first. Absent where they are not known. */
  readonly sharedWith?: { readonly count: number; readonly users: readonly SharingUser[] }
}

/** A user who shares a limit. */
export interface SharingUser {
  readonly user: ReportedPrincipal
  /** Absent where it is not counted apart. */
  readonly used?: OwnUse
}

/** What one user owns: bytes, and files and directories where they are counted. */
export interface OwnUse {
  readonly space: number
  readonly files?: number
}
