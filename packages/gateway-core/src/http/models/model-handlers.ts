import type { RequestHeaders } from '@trivium/http-contract'
import type { GatewayCall } from '../../caller.ts'
import type { Model } from '../../models/models.ts'
import { answerHeaders } from '../access/answer-headers.ts'
import { type GatewayHandlers, type HandlerParts, refuseCall } from '../handler-parts.ts'
import { toAnthropicList, toAnthropicWire, toWire } from './model-wire.ts'

type ModelHandlers = GatewayHandlers<'listModels' | 'getModel' | 'listImageModels'>

export function modelHandlers({ gateway, now }: HandlerParts): ModelHandlers {
  const list = async (call: GatewayCall, kind?: Model['kind']) => {
    const admitted = await gateway.limits.admit(call)
    if (admitted.isErr()) return refuseCall(admitted.error, call, now())
    const models = await gateway.models.list(kind)
    return {
      status: 200 as const,
      headers: answerHeaders(call, now()),
      body: { object: 'list' as const, data: models.map(toWire) },
    }
  }
  return {
    async listModels(call) {
      if (!isAnthropicCall(call.rawHeaders)) return list(call)
      const admitted = await gateway.limits.admit(call)
      if (admitted.isErr()) return refuseCall(admitted.error, call, now())
      const models = await gateway.models.list()
      return { status: 200, headers: answerHeaders(call, now()), body: toAnthropicList(models) }
    },
    listImageModels: (call) => list(call, 'image'),
    async getModel(call) {
      const found = await gateway.models.find(call.params.model)
      if (found.isErr()) return refuseCall(found.error, call, now())
      const admitted = await gateway.limits.admit(call)
      if (admitted.isErr()) return refuseCall(admitted.error, call, now())
      const body = isAnthropicCall(call.rawHeaders) ? toAnthropicWire(found.value) : toWire(found.value)
      return { status: 200, headers: answerHeaders(call, now()), body }
    },
  }
}

/** Anthropic's clients send their version with every request. */
const isAnthropicCall = (headers: RequestHeaders): boolean => headers['anthropic-version'] !== undefined
