import {
  type Admission,
  accessRequest,
  accessRule,
  callerIdentity,
  checkAccessRules,
  decideAccess,
  type Exchange,
  type HostRefusal,
  type Refusal,
  type Reply,
} from '@trivium/http-contract'
import * as v from 'valibot'
import type { Emulation } from '../../index.ts'
import { emulationContract } from '../contract.ts'
import { failure } from '../errors/failure.ts'
import { failureReply } from '../errors/failure-reply.ts'
import { toFailure } from '../errors/to-failure.ts'
import type { EmulationRoutesOptions } from '../options.ts'
import { projectId } from '../requests/identifiers.ts'
import { emulationSockets } from '../socket-contract.ts'
import { type Caller, seesProject } from './caller.ts'
import { isOfferedToUsers } from './offered-operations.ts'

/** The operations and consoles that rules can name. */
const operations = [...Object.keys(emulationContract), ...Object.keys(emulationSockets)]

/** Admits the admin or callers that the host's rule admits. Without `admin` and `authorize` it refuses every request. */
export function admitWith<Host>(
  { projects }: Pick<Emulation, 'projects'>,
  { admin = () => false, authorize }: Pick<EmulationRoutesOptions<Host>, 'admin' | 'authorize'>,
) {
  checkAccessRules(authorize, operations, ['open', 'admin'])
  return async (
    exchange: Omit<Exchange<Host>, 'body' | 'closing'>,
    operation: string,
    method: string,
  ): Promise<Admission<Caller>> => {
    const rule = accessRule(authorize, operation) ?? 'admin'
    const toUsers = isOfferedToUsers(operation)
    const decided = await decideAccess(rule, accessRequest(exchange, operation, method), admin, { toUsers })
    if ('refusal' in decided) return refusalOf(decided.refusal, decided.answer)
    const { caller } = decided
    const identity = callerIdentity(caller)
    if (caller.type !== 'user') return { caller, identity }
    const id = v.safeParse(projectId, exchange.params.project_id)
    // An id without the form of one is refused with the other parameters.
    if (!id.success) return { caller, identity }
    const project = await projects.find(id.output)
    if (project.isOk() && seesProject(caller, project.value)) return { caller, identity }
    return { reply: failureReply(toFailure({ type: 'project-not-found', projectId: id.output })), identity }
  }
}

/** Returns the answer to a refused request. `answer` is the host's own. */
function refusalOf({ reason, retryAfterSeconds, user }: Refusal, answer?: HostRefusal): Admission<Caller> {
  if (user !== undefined) {
    return { reply: notPermitted, reason, identity: { type: 'user', id: user } }
  }
  if (answer) return { reply: hostReply(answer), reason }
  if (retryAfterSeconds === undefined) return { reply: unauthorized, reason }
  return { reply: tooManyPasswords(retryAfterSeconds), reason }
}

/** The status may be one that no operation declares. */
const hostReply = ({ status, message }: HostRefusal): Reply => ({
  kind: 'json',
  status,
  headers: {},
  value: { ...failure(401, message).body, status },
})

export const tooManyPasswords = (retryAfterSeconds: number): Reply =>
  failureReply(failure(429, 'Too many wrong passwords came from this address. Wait, and try again.'), {
    'retry-after': String(retryAfterSeconds),
  })

export const notPermitted: Reply = failureReply(failure(403, 'This user is not allowed to use this operation.'))

export const unauthorized: Reply = failureReply(failure(401, 'Authentication is required.'), {
  'www-authenticate': 'Basic realm="Trivium", charset="UTF-8"',
})

/** The headers of every reply. The route template always has the version, after the path of the mount. */
export const replyHeaders =
  (version: string) =>
  ({ path }: { readonly path: string }, mountPath: string): Record<string, string> => ({
    server: `Trivium/${version}`,
    'x-route': `${mountPath}${path}`,
  })
