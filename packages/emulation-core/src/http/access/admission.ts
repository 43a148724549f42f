import { type Admission, presentsAdmin, type Reply, type RequestHeaders } from '@trivium/http-contract'
import { failure } from '../errors/failure.ts'
import { failureReply } from '../errors/failure-reply.ts'
import type { EmulationRoutesOptions } from '../options.ts'

/** Admits the admin, or whom the host admits, and no one where it has not said who may. */
export async function admitAdmin(
  headers: RequestHeaders,
  { admin = () => false, authorize }: Pick<EmulationRoutesOptions, 'admin' | 'authorize'>,
): Promise<Admission<undefined>> {
  const allowed = await (authorize ? authorize(headers) : presentsAdmin(headers, admin))
  return allowed === true ? { caller: undefined } : { reply: unauthorized }
}

export const unauthorized: Reply = failureReply(failure(401, 'Authentication is required'), {
  'www-authenticate': 'Basic realm="Trivium", charset="UTF-8"',
})

/** The headers that every reply has; the route template always carries the version. */
export const replyHeaders =
  (version: string) =>
  ({ path }: { readonly path: string }): Record<string, string> => ({ server: `Trivium/${version}`, 'x-route': path })
