import type { InferOutput } from 'valibot'
import type { GatewayCall } from '../../caller.ts'
import type { Model } from '../../models/models.ts'
import { answerHeaders } from '../access/answer-headers.ts'
import { type GatewayHandlers, type HandlerParts, refuseCall } from '../handler-parts.ts'
import type { modelSchema } from './model-schema.ts'

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
    listModels: (call) => list(call),
    listImageModels: (call) => list(call, 'image'),
    async getModel(call) {
      const found = await gateway.models.find(call.params.model)
      if (found.isErr()) return refuseCall(found.error, call, now())
      const admitted = await gateway.limits.admit(call)
      if (admitted.isErr()) return refuseCall(admitted.error, call, now())
      return { status: 200, headers: answerHeaders(call, now()), body: toWire(found.value) }
    },
  }
}

const toWire = ({ id, created, ownedBy }: Model): InferOutput<typeof modelSchema> => ({
  id,
  object: 'model',
  created,
  owned_by: ownedBy,
})
