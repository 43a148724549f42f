import type { Principal } from '../quota-rules/quota-target.ts'
import type { LimitTarget, UnsupportedLimit } from '../volumes/volume-backend.ts'

const MAXIMUM_NAMED = 5

/** Returns a sentence about what a file system cannot enforce, with at most 5 limits. */
export function describeUnsupported(unsupported: readonly UnsupportedLimit[]): string {
  const named = unsupported.slice(0, MAXIMUM_NAMED).map(({ target, limits, reason }) => {
    const what = limits.map((limit) => limitNames[limit]).join(' and ')
    return `${what === '' ? '' : `the ${what} of `}${describeTarget(target)} (${reason})`
  })
  const more = unsupported.length - named.length
  return `The volume cannot enforce ${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}.`
}

const limitNames = {
  spaceHard: 'hard space limit',
  spaceSoft: 'soft space limit',
  filesHard: 'hard file limit',
  filesSoft: 'soft file limit',
} as const

function describeTarget(target: LimitTarget): string {
  const scope = target.qtree === undefined ? '' : ` in qtree "${target.qtree}"`
  switch (target.kind) {
    case 'tree':
      return target.qtree === '' ? 'every qtree' : `qtree "${target.qtree}"`
    case 'every-user':
      return `every user${scope}`
    case 'users':
      return `${target.users.length > 1 ? 'users' : 'user'} ${target.users.map(describePrincipal).join(', ')}${scope}`
    case 'every-group':
      return `every group${scope}`
    case 'group':
      return `group ${describePrincipal(target.group)}${scope}`
  }
}

const describePrincipal = (principal: Principal): string =>
  'name' in principal ? `"${principal.name}"` : `with id ${principal.id}`
