import type { QuotaRuleId } from '../quota-rules/quota-rule.ts'
import type { VolumeId } from '../volumes/volume.ts'
import type { KnownPrincipal } from '../volumes/volume-backend.ts'

/** What the watch of a volume has seen of one limit, or of the enforcement of the whole volume. */
export interface LimitState {
  readonly volume: VolumeId
  readonly subject: LimitSubject
  /** Grows with each change, also over the deletion of a state: a new one starts at the milliseconds since 1970. */
  readonly sequence: number
  /** Since when the usage is above the soft limit, or the volume lacks enforcement. */
  readonly exceededSince?: Date
  /** When the grace period began. Absent without a grace period, and while the usage is not above the soft limit. */
  readonly graceStartedAt?: Date
  /** When the soft limit became hard. Absent while it is not enforced. */
  readonly graceEndedAt?: Date
  /** The reached thresholds in percent, ascending. */
  readonly thresholds: readonly number[]
}

/** The subject of a state, one of each per volume. */
export type LimitSubject = QuotaSubject | { readonly kind: 'enforcement' }

/** The space or files of one target of a rule. */
export interface QuotaSubject {
  readonly kind: 'limit'
  readonly rule: QuotaRuleId
  /** The id of the qtree. Absent for the whole volume. */
  readonly qtree?: number
  /** The user or group to which a default rule applies. */
  readonly principal?: KnownPrincipal
  readonly of: 'space' | 'files'
}

/** Returns a text that is equal only for states of the same subject. */
export function subjectKey(subject: LimitSubject): string {
  if (subject.kind === 'enforcement') return subject.kind
  const { rule, qtree = '', principal, of } = subject
  return `${of}/${rule}/${qtree}/${principal?.id ?? ''}`
}
