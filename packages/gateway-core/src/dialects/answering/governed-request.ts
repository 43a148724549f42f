import { err, ok, type Result } from 'neverthrow'
import type { Caller } from '../../caller.ts'
import { ambiguityOf, isGoverned } from '../../models/ambiguous-members.ts'
import type { ModelCallError } from '../../models/model-call-error.ts'
import { withoutByteOrderMark } from '../requests/encode-body.ts'
import { spliceMembers } from '../requests/splice-members.ts'
import type { DialectCall, Front } from './front.ts'

const noChanges: ReadonlyMap<string, unknown> = new Map()

/**
 * Returns a request as upstreams may get it. Where rules or limits hold for the caller, its bytes have each member once, as
 * the gateway has read it, and members that upstreams may read as others are refused.
 */
export function governedRequest<Request extends DialectCall>(
  { limits }: Pick<Front<unknown>, 'limits'>,
  caller: Caller,
  request: Request,
): Result<Request | DialectCall, ModelCallError> {
  if (!isGoverned(caller)) return ok(request)
  const { body, raw } = request
  const ambiguous = ambiguityOf(caller, body, limits)
  if (ambiguous) return err(ambiguous)
  if (!raw) return ok(request)
  const json = withoutByteOrderMark(raw)
  const once = spliceMembers(json, noChanges, Object.keys(body).length)
  return ok(once === json ? request : withBytes(request, once))
}

/** Requests may be instances of a class. */
const withBytes = (
  { body, headers, answerId, requested, onAnswer, observeStream, maySearch }: DialectCall,
  raw: Uint8Array,
): DialectCall => ({
  body,
  raw,
  ...(headers && { headers }),
  ...(answerId !== undefined && { answerId }),
  ...(requested && { requested }),
  ...(onAnswer && { onAnswer }),
  ...(observeStream && { observeStream }),
  ...(maySearch && { maySearch }),
})
