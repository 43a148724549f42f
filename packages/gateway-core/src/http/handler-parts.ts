import type { Handlers } from '@trivium/http-contract'
import type { Caller, GatewayCall } from '../caller.ts'
import type { Gateway } from '../create-gateway.ts'
import { answerHeaders } from './access/answer-headers.ts'
import type { SearchRights } from './access/search-rights.ts'
import type { GatewayContract, GatewayOperation } from './contract.ts'
import type { Failure } from './errors/failure.ts'
import { type GatewayError, toFailure } from './errors/to-failure.ts'

/** What all handlers share. */
export interface HandlerParts {
  readonly gateway: Gateway
  readonly now: () => Date
  readonly searchRights: SearchRights
}

/** The handlers of some operations. Their calls are also {@link GatewayCall}s. */
export type GatewayHandlers<Ids extends GatewayOperation> = Pick<Handlers<GatewayContract, Caller>, Ids>

/** Translates an error of a service, and adds the state of the caller's rate limit. */
export function refuseCall(error: GatewayError, call: GatewayCall, now: Date): Failure {
  const answer = toFailure(error)
  return { ...answer, headers: answerHeaders(call, now, { ...answer.headers }) }
}
