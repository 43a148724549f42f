import type { Admission, Exchange, Operation, RequestHeaders } from '@trivium/http-contract'
import { accountOf } from '../../accounts/account.ts'
import type { Caller, GatewayCall } from '../../caller.ts'
import type { RefusedRequests } from '../../rate-limits/refused-requests.ts'
import type { LimitError, RequestLimits } from '../../rate-limits/request-limits.ts'
import { RunningBodies } from '../../rate-limits/running-bodies.ts'
import { MAX_HELD_BYTES } from '../endpoints/open-upload.ts'
import { failureReply } from '../errors/failure-reply.ts'
import { type GatewayError, toFailure } from '../errors/to-failure.ts'
import { refuseCall } from '../handler-parts.ts'

export interface AccountGuardOptions {
  readonly limits: RequestLimits
  readonly refusedRequests: RefusedRequests
  readonly now: () => Date
  /** Called with each request that a limit refuses here. */
  readonly onLimited: (call: GatewayCall, error: LimitError, id: string) => void
}

interface GuardedRequest {
  readonly exchange: Exchange
  readonly id: string
  readonly operation: Operation
  readonly requestId: string
  /** Whether rate limits count its requests. */
  readonly isLimited: boolean
}

/**
 * Refuses requests of a key or a user before they are read, without asking the store: after too many invalid requests,
 * while the rate limit is known to be exceeded, and for too many bytes at the same time.
 */
export function accountGuard({ limits, refusedRequests, now, onLimited }: AccountGuardOptions) {
  const bodies = new RunningBodies()
  return (
    admission: Admission<Caller>,
    { exchange, id, operation, requestId, isLimited }: GuardedRequest,
  ): Admission<Caller> => {
    const account = 'reply' in admission ? undefined : accountOf(admission.caller)
    if ('reply' in admission || !account) return admission
    const { caller, identity } = admission
    const identified = identity && { identity }
    const refusal = refusedRequests.refuse(account, now())
    if (refusal) return { reply: failureReply(toFailure(refusal)), reason: 'too_many_invalid', ...identified }
    if (!isLimited || (operation.body ?? operation.upload) === undefined) return admission
    const call: GatewayCall = { requestId, caller, signal: exchange.signal }
    const refused = (error: GatewayError) => ({ reply: failureReply(refuseCall(error, call, now())), ...identified })
    const known = limits.refuse(call)
    if (known) {
      onLimited(call, known, id)
      return refused(known)
    }
    const running = bodies.begin(account.id, announcedBytes(exchange.headers, operation))
    if (running === undefined) return admission
    return typeof running === 'function' ? { ...admission, onBodyRead: running } : refused(running)
  }
}

/** The counted length of a body without `content-length`. Few of those are large. */
const UNKNOWN_BYTES = 2 ** 22

function announcedBytes(headers: RequestHeaders, { bodyLimit = UNKNOWN_BYTES, upload }: Operation): number {
  const length = headers['content-length']
  const announced = typeof length === 'string' ? Number(length) : upload ? MAX_HELD_BYTES : UNKNOWN_BYTES
  return Math.min(upload ? MAX_HELD_BYTES : bodyLimit, announced)
}
