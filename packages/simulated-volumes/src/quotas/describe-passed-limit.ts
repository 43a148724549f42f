import type { LimitTarget, Principal } from '@trivium/storage-core/ports'
import type { PassedLimit } from './quota-enforcement.ts'

/** Describes a limit: `The space limit of 10485760 bytes of user sam is reached (8388608 used)`. */
export function describePassedLimit({ target, principal, limit, used, allowed }: PassedLimit): string {
  const unit = limit.startsWith('space') ? 'bytes' : 'files'
  const what = limit.startsWith('space') ? 'space' : 'file'
  return `The ${what} limit of ${allowed} ${unit} of ${describeTarget(target, principal)} is reached (${used} used)`
}

function describeTarget(target: LimitTarget, principal: Principal | undefined): string {
  switch (target.kind) {
    case 'tree':
      return `qtree ${target.qtree}`
    case 'users':
      return `${target.users.length > 1 ? 'users' : 'user'} ${target.users.map(describePrincipal).join(', ')}`
    case 'group':
      return `group ${describePrincipal(target.group)}`
    case 'every-user':
      return principal ? `user ${describePrincipal(principal)}` : 'a user'
    case 'every-group':
      return principal ? `group ${describePrincipal(principal)}` : 'a group'
  }
}

const describePrincipal = (principal: Principal): string => ('name' in principal ? principal.name : principal.id)
