import type { Tagged } from 'type-fest'
import { defineFields } from '../query/field-catalogue.ts'
import type { Svm } from '../svms/svm.ts'
import type { VolumeReference } from '../volumes/volume.ts'
import type { QuotaLimits } from './quota-limits.ts'
import { type Principal, type QuotaTarget, quotaTypes } from './quota-target.ts'

/** A UUID unless the host supplies its own ids. */
export type QuotaRuleId = Tagged<string, 'QuotaRuleId'>

/** Limits for a target on a volume. A rule takes effect while quotas are on for the volume. */
export interface QuotaRule {
  readonly uuid: QuotaRuleId
  readonly svm: Svm
  readonly volume: VolumeReference
  readonly target: QuotaTarget
  /** The id of the qtree of the target. Absent without a qtree, or when the qtree does not exist yet. */
  readonly qtreeId?: number
  /** ONTAP's `user_mapping`, for user rules only. Stored for clients. No volume backend maps users. */
  readonly userMapping?: boolean
  readonly limits: QuotaLimits
  /**
   * The seconds for which the usage may be above a soft limit before that is enforced as hard, from 1 to 315,360,000.
   * @default that of the volume
   */
  readonly gracePeriodSeconds?: number
  /**
   * Marks that notify when the usage reaches them: 1 to 10 whole percentages from 1 to 100, ascending, of the hard limit
   * or else of the soft one. @default none
   */
  readonly thresholds?: readonly number[]
}

/** The types of the fields of a rule, and how they are read. Fields of users are arrays. */
export const quotaRuleFields = defineFields<QuotaRule>()(
  {
    uuid: { type: 'uuid', read: ({ uuid }) => uuid },
    svmUuid: { type: 'uuid', read: ({ svm }) => svm.uuid },
    svmName: { type: 'string', read: ({ svm }) => svm.name },
    volumeUuid: { type: 'uuid', read: ({ volume }) => volume.uuid },
    volumeName: { type: 'string', read: ({ volume }) => volume.name },
    type: { type: 'enum', values: quotaTypes, read: ({ target }) => target.type },
    userName: { type: 'string', array: true, read: ({ target }) => users(target).flatMap(name) },
    userId: { type: 'string', array: true, read: ({ target }) => users(target).flatMap(id) },
    groupName: { type: 'string', read: ({ target }) => group(target).flatMap(name)[0] },
    groupId: { type: 'string', read: ({ target }) => group(target).flatMap(id)[0] },
    qtreeName: { type: 'string', read: ({ target }) => target.qtree },
    qtreeId: { type: 'integer', read: ({ qtreeId }) => qtreeId },
    userMapping: { type: 'boolean', read: ({ userMapping }) => userMapping },
    spaceHard: { type: 'integer', read: ({ limits }) => limits.spaceHard },
    spaceSoft: { type: 'integer', read: ({ limits }) => limits.spaceSoft },
    filesHard: { type: 'integer', read: ({ limits }) => limits.filesHard },
    filesSoft: { type: 'integer', read: ({ limits }) => limits.filesSoft },
    gracePeriodSeconds: { type: 'integer', read: ({ gracePeriodSeconds }) => gracePeriodSeconds },
  },
  ['uuid'],
)

/** The fields that queries and orders of quota rules can name. */
export type QuotaRuleField = keyof typeof quotaRuleFields.fields

const users = (target: QuotaTarget): readonly Principal[] => (target.type === 'user' ? target.users : [])
const group = (target: QuotaTarget): readonly Principal[] => (target.type === 'group' ? [target.group] : [])
const name = (principal: Principal) => ('name' in principal ? [principal.name] : [])
const id = (principal: Principal) => ('id' in principal ? [principal.id] : [])
