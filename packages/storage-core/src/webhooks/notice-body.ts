import type { Notice, NoticeKind } from '../notices/notice.ts'
import type { QuotaLimitName } from '../quota-rules/quota-limits.ts'
import { encodeSizes } from '../sizes/encode-sizes.ts'
import type { KnownPrincipal, LimitTarget } from '../volumes/volume-backend.ts'

/** The names of the kinds in bodies, filters and webhooks. */
export const kindNames = {
  'soft-limit-exceeded': 'quota.soft_limit_exceeded',
  'soft-limit-normal': 'quota.soft_limit_normal',
  'threshold-exceeded': 'quota.threshold_exceeded',
  'threshold-normal': 'quota.threshold_normal',
  'grace-ended': 'quota.grace_ended',
  'enforcement-lost': 'volume.enforcement_lost',
  'enforcement-restored': 'volume.enforcement_restored',
  'split-done': 'split.done',
  test: 'test',
} as const satisfies Record<NoticeKind, string>

const limitNames = {
  spaceHard: 'space.hard_limit',
  spaceSoft: 'space.soft_limit',
  filesHard: 'files.hard_limit',
  filesSoft: 'files.soft_limit',
} as const satisfies Record<QuotaLimitName, string>

/** Returns what a notice says, in the names of the storage interface, which `src/http` uses too. */
export function noticeData(notice: Notice): { readonly [name: string]: unknown } {
  const { svm, volume, rule, target, principal, limit, percent, used, allowed, graceEndsAt, path, reason } = notice
  return {
    ...(svm && { svm: { uuid: svm.uuid, name: svm.name } }),
    ...(volume && { volume: { uuid: volume.uuid, name: volume.name } }),
    ...(rule !== undefined && { rule: { uuid: rule } }),
    ...(target && { target: targetData(target) }),
    ...(principal && { principal: principalData(principal) }),
    ...(limit !== undefined && { limit: limitNames[limit] }),
    ...(percent !== undefined && { percent }),
    ...(used !== undefined && { used }),
    ...(allowed !== undefined && { allowed }),
    ...(graceEndsAt && { grace_end_time: graceEndsAt.toISOString() }),
    ...(path !== undefined && { path }),
    ...(reason !== undefined && { reason }),
  }
}

function targetData(target: LimitTarget): { readonly [name: string]: unknown } {
  const qtree = target.qtree === undefined ? {} : { qtree: { name: target.qtree } }
  switch (target.kind) {
    case 'tree':
      return { type: 'tree', ...qtree }
    case 'users':
      return { type: 'user', ...qtree, users: target.users }
    case 'every-user':
      return { type: 'user', ...qtree }
    case 'group':
      return { type: 'group', ...qtree, group: target.group }
    case 'every-group':
      return { type: 'group', ...qtree }
  }
}

const principalData = ({ id, name }: KnownPrincipal) => ({ id, ...(name !== undefined && { name }) })

/** The body of a delivery, as Standard Webhooks has it. */
export const noticeBody = (notice: Notice): string =>
  encodeSizes({ type: kindNames[notice.kind], timestamp: notice.at.toISOString(), data: noticeData(notice) })
