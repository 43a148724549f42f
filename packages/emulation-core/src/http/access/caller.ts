import type { AdminCaller, AnonymousCaller, UserCaller } from '@trivium/http-contract'
import type { Project } from '../../index.ts'

/** Who calls an operation. Users see the projects that they created and those of their `labs`. */
export type Caller = AdminCaller | AnonymousCaller | UserCaller

/** Whether a project exists for a caller. */
export function seesProject(caller: Caller, { id, ownerId }: Project): boolean {
  if (caller.type !== 'user') return true
  return ownerId === caller.id || caller.labs === 'all' || caller.labs?.includes(id) === true
}
