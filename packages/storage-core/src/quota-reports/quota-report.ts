import { defineFields } from '../query/field-catalogue.ts'
import type { QuotaLimits } from '../quota-rules/quota-limits.ts'
import { type QuotaType, quotaTypes } from '../quota-rules/quota-target.ts'
import type { Svm } from '../svms/svm.ts'
import type { VolumeReference } from '../volumes/volume.ts'

/** What a target of an enforced quota uses, and may use. */
export interface QuotaReport {
  readonly svm: Svm
  readonly volume: VolumeReference
  /** Tells the reports of a volume apart; the same target always has the same one. Below 2^52. */
  readonly index: number
  readonly type: QuotaType
  /** Empty unless the type is `user`. */
  readonly users: readonly ReportedPrincipal[]
  readonly group?: ReportedPrincipal
  readonly qtree?: { readonly id: number; readonly name: string }
  readonly limits: QuotaLimits
  /** Bytes, and files with directories. */
  readonly used: { readonly space: number; readonly files: number }
  /** It is of a default rule and stands for nobody in particular. */
  readonly isDefault: boolean
}

/** Whatever of it is known; the default's name is empty. */
export interface ReportedPrincipal {
  readonly name?: string
  readonly id?: string
}

/** Whole percent, half rounded up; absent without a limit. A limit of 0 counts as full. */
export function percentOf(used: number, limit: number | undefined): number | undefined {
  if (limit === undefined) return undefined
  return limit === 0 ? 100 : Math.floor((used / limit) * 100 + 0.5)
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
