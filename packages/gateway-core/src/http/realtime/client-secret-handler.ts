import { answerHeaders } from '../access/answer-headers.ts'
import { failure } from '../errors/failure.ts'
import { type GatewayHandlers, type HandlerParts, refuseCall } from '../handler-parts.ts'

/** OpenAI's default. */
const DEFAULT_SECONDS = 600

export const clientSecretHandler = ({ gateway, now }: HandlerParts): GatewayHandlers<'createClientSecret'> => ({
  async createClientSecret(call) {
    const { caller, body } = call
    if (caller.type !== 'key') {
      return failure(403, 'A client secret stands for an API key, and this request has none.', {
        code: 'api_key_required',
      })
    }
    const session = { ...body.session, type: 'realtime' as const }
    const seconds = body.expires_after?.seconds ?? DEFAULT_SECONDS
    const secret = await gateway.clientSecrets.create(caller.key, session, seconds)
    if (!secret) {
      return failure(400, "Invalid 'session': must be shorter. Send the rest of it with 'session.update'.", {
        param: 'session',
        code: 'session_too_large',
      })
    }
    const checked = await gateway.realtime.check(session.model)
    if (checked.isErr()) return refuseCall(checked.error, call, now())
    const admitted = await gateway.limits.admit(call)
    if (admitted.isErr()) return refuseCall(admitted.error, call, now())
    return {
      status: 200,
      headers: answerHeaders(call, now(), { 'cache-control': 'no-store' }),
      body: { value: secret.value, expires_at: Math.floor(secret.expiresAt.getTime() / 1000), session },
    }
  },
})
