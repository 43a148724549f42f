import {
  type AccessRequest,
  type Admission,
  accessRefusal,
  accessRule,
  type Refusal,
  type Reply,
} from '@trivium/http-contract'
import { failure } from '../errors/failure.ts'
import { failureReply } from '../errors/failure-reply.ts'
import type { EmulationRoutesOptions } from '../options.ts'

/**
 * Admits the admin or callers that the host's rule admits. Without `admin` and `authorize` it refuses every request.
 */
export async function admitAdmin(
  request: AccessRequest,
  { admin = () => false, authorize }: Pick<EmulationRoutesOptions, 'admin' | 'authorize'>,
): Promise<Admission<undefined>> {
  const rule = accessRule(authorize, request.operation) ?? 'admin'
  const refusal = await accessRefusal(rule, request, admin)
  if (refusal) return { reply: refusalReply(refusal), reason: refusal.reason }
  return { caller: undefined, identity: { type: rule === 'open' ? 'anonymous' : 'admin' } }
}

export function refusalReply({ retryAfterSeconds }: Refusal): Reply {
  if (retryAfterSeconds === undefined) return unauthorized
  return failureReply(failure(429, 'Too many wrong passwords came from this address. Wait, and try again.'), {
    'retry-after': String(retryAfterSeconds),
  })
}

export const unauthorized: Reply = failureReply(failure(401, 'Authentication is required.'), {
  'www-authenticate': 'Basic realm="Trivium", charset="UTF-8"',
})

/** The headers of every reply. The route template always has the version. */
export const replyHeaders =
  (version: string) =>
  ({ path }: { readonly path: string }): Record<string, string> => ({ server: `Trivium/${version}`, 'x-route': path })
