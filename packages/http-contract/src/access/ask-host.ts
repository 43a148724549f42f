import type { AccessRequest, HostRefusal, HostRule } from './access-rules.ts'
import { type UserCaller, userMistake } from './user-caller.ts'

/** The verdict of a host's rule, after it was checked. */
export type CheckedVerdict<Caller> =
  | 'default'
  | { readonly caller: Caller }
  /** `refusal` is absent where the rule returned nothing. */
  | { readonly refusal: HostRefusal | undefined }

/**
 * Asks the host's rule, and checks its answer, because the host may be plain JavaScript.
 *
 * @param isCaller whether a value with a `type` is a caller that the service knows
 * @throws TypeError (rejects) if the answer is not a verdict, a user has an invalid or unknown field, or a refusal
 *   an invalid one
 */
export async function askHost<Caller extends { readonly type: string }, Host>(
  rule: HostRule<Caller, Host>,
  request: AccessRequest<Host>,
  isCaller: (value: { readonly type: string }) => boolean,
): Promise<CheckedVerdict<Caller>> {
  const verdict = await rule(request)
  if (verdict === 'default') return 'default'
  if (verdict === undefined || verdict === null) return { refusal: undefined }
  if (typeof verdict !== 'object') throw unknownVerdict(request)
  if ('status' in verdict) return { refusal: checkRefusal(verdict, request) }
  if (!isCaller(verdict)) throw unknownVerdict(request)
  const mistake = isUser(verdict) ? userMistake(verdict) : undefined
  if (mistake !== undefined)
    throw new TypeError(`The access rule of '${request.operation}' returned a user with ${mistake}`)
  return { caller: verdict }
}

const unknownVerdict = ({ operation }: AccessRequest): TypeError =>
  new TypeError(`The access rule of '${operation}' returned neither a caller nor a refusal, 'default' or undefined`)

const isUser = (caller: { readonly type: string }): caller is UserCaller => caller.type === 'user'

function checkRefusal({ status, message }: HostRefusal, { operation }: AccessRequest): HostRefusal {
  if (!Number.isInteger(status) || status < 400 || status > 599) {
    throw new TypeError(`The access rule of '${operation}' returned a refusal whose 'status' is not from 400 to 599`)
  }
  if (typeof message !== 'string' || message === '') {
    throw new TypeError(`The access rule of '${operation}' returned a refusal without a 'message'`)
  }
  return { status, message }
}
