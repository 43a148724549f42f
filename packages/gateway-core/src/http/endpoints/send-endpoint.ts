import type { Result } from 'neverthrow'
import type { GatewayCall } from '../../caller.ts'
import type { EndpointReply, EndpointRequest } from '../../endpoints/endpoint-calls.ts'
import type { Failure } from '../errors/failure.ts'
import { type HandlerParts, refuseCall } from '../handler-parts.ts'

/** Sends a request, and returns its answer or the response to an error. */
export async function sendEndpoint<Answer>(
  { gateway, now }: HandlerParts,
  call: GatewayCall,
  request: EndpointRequest,
  answer: (call: GatewayCall, now: Date, reply: EndpointReply) => Answer,
): Promise<Answer | Failure> {
  const sent: Result<EndpointReply, Parameters<typeof refuseCall>[0]> = await gateway.endpoints.send(call, request)
  return sent.isErr() ? refuseCall(sent.error, call, now()) : answer(call, now(), sent.value)
}
