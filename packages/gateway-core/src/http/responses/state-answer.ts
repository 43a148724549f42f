import type { ResultAsync } from 'neverthrow'
import type { GatewayCall } from '../../caller.ts'
import { answerHeaders } from '../access/answer-headers.ts'
import type { GatewayError } from '../errors/to-failure.ts'
import { type HandlerParts, refuseCall } from '../handler-parts.ts'

/** Answers requests for stored responses and conversations. Each counts for the rate limit, also where nothing is found. */
export const stateAnswer =
  ({ gateway, now }: HandlerParts) =>
  async <Value, Body>(
    call: GatewayCall,
    work: () => ResultAsync<Value, GatewayError>,
    bodyOf: (value: Value) => Body,
  ) => {
    const admitted = await gateway.limits.admit(call)
    if (admitted.isErr()) return refuseCall(admitted.error, call, now())
    const done = await work()
    if (done.isErr()) return refuseCall(done.error, call, now())
    return { status: 200 as const, headers: answerHeaders(call, now()), body: bodyOf(done.value) }
  }
