import { defineFields } from '../query/field-catalogue.ts'
import type { QuotaLimits } from '../quota-rules/quota-limits.ts'
import { type QuotaType, quotaTypes } from '../quota-rules/quota-target.ts'
import type { Size } from '../sizes/size.ts'
import type { Svm } from '../svms/svm.ts'
import type { VolumeReference } from '../volumes/volume.ts'
import type { WatchedLimit } from './watched-limit.ts'

/** The usage and the limits of one target of an enforced quota. */
export interface QuotaReport {
  readonly svm: Svm
  readonly volume: VolumeReference
  /** Unique among the reports of a volume, and stable for a target. Below 2^52. */
  readonly index: number
  readonly type: QuotaType
  /** Empty unless the type is `user`. */
  readonly users: readonly ReportedPrincipal[]
  /** Set only when the type is `group`. */
  readonly group?: ReportedPrincipal
  /** Absent for users and groups in the whole volume. The default tree rule has id 0 and an empty name. */
  readonly qtree?: { readonly id: number; readonly name: string }
  /** The enforced limits. Root has none of a default rule. */
  readonly limits: QuotaLimits
  /** `space` in bytes. `files` counts files and directories, and may be absent where they were not asked for. */
  readonly used: { readonly space: number; readonly files?: number }
  /** How the usage compares with soft limits and thresholds. Empty where the rule has neither. */
  readonly watched: { readonly space?: WatchedLimit; readonly files?: WatchedLimit }
  /** Whether it is the report of a default rule itself, without a user, group or qtree. */
  readonly isDefault: boolean
}

/** The known name and id of a user or group. The name of a default rule is empty. */
export interface ReportedPrincipal {
  readonly name?: string
  readonly id?: string
}

/**
 * The used part of a limit in whole percent, rounded half up. `undefined` without a limit or a usage, 100 for a limit of
 * 0.
 */
export function percentOf(used: number | undefined, limit: Size | undefined): number | undefined {
  if (used === undefined || limit === undefined) return undefined
  if (limit === 0) return 100
  const doubled = 200 * used + Number(limit)
  if (Number.isSafeInteger(doubled)) return Math.floor(doubled / (2 * Number(limit)))
  return Number((200n * BigInt(used) + BigInt(limit)) / (2n * BigInt(limit)))
}

export const quotaReportFields = defineFields<QuotaReport>()(
  {
    svmUuid: { type: 'uuid', read: ({ svm }) => svm.uuid },
    svmName: { type: 'string', read: ({ svm }) => svm.name },
    volumeUuid: { type: 'uuid', read: ({ volume }) => volume.uuid },
    volumeName: { type: 'string', read: ({ volume }) => volume.name },
    index: { type: 'integer', read: ({ index }) => index },
    type: { type: 'enum', values: quotaTypes, read: ({ type }) => type },
    userName: { type: 'string', array: true, read: ({ users }) => users.flatMap(({ name }) => name ?? []) },
    userId: { type: 'string', array: true, read: ({ users }) => users.flatMap(({ id }) => id ?? []) },
    groupName: { type: 'string', read: ({ group }) => group?.name },
    groupId: { type: 'string', read: ({ group }) => group?.id },
    qtreeName: { type: 'string', read: ({ qtree }) => qtree?.name },
    qtreeId: { type: 'integer', read: ({ qtree }) => qtree?.id },
    spaceHard: { type: 'integer', read: ({ limits }) => limits.spaceHard },
    spaceSoft: { type: 'integer', read: ({ limits }) => limits.spaceSoft },
    spaceUsed: { type: 'integer', read: ({ used }) => used.space },
    spaceHardPercent: { type: 'integer', read: ({ used, limits }) => percentOf(used.space, limits.spaceHard) },
    spaceSoftPercent: { type: 'integer', read: ({ used, limits }) => percentOf(used.space, limits.spaceSoft) },
    filesHard: { type: 'integer', read: ({ limits }) => limits.filesHard },
    filesSoft: { type: 'integer', read: ({ limits }) => limits.filesSoft },
    filesUsed: { type: 'integer', read: ({ used }) => used.files },
    filesHardPercent: { type: 'integer', read: ({ used, limits }) => percentOf(used.files, limits.filesHard) },
    filesSoftPercent: { type: 'integer', read: ({ used, limits }) => percentOf(used.files, limits.filesSoft) },
  },
  ['volumeUuid', 'index'],
)

export type QuotaReportField = keyof typeof quotaReportFields.fields
