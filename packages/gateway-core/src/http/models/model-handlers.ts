import type { Handlers } from '@trivium/http-contract'
import type { InferOutput } from 'valibot'
import type { Model } from '../../models/models.ts'
import { answerHeaders } from '../access/answer-headers.ts'
import type { HttpCall } from '../access/http-call.ts'
import type { GatewayContract } from '../contract.ts'
import { type HandlerParts, refuseCall } from '../handler-parts.ts'
import type { modelSchema } from './model-schema.ts'

type ModelHandlers = Pick<Handlers<GatewayContract, HttpCall>, 'listModels' | 'getModel' | 'listImageModels'>

export function modelHandlers({ gateway, now }: HandlerParts): ModelHandlers {
  const list = async (call: HttpCall, kind?: Model['kind']) => {
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
    listModels: ({ context }) => list(context),
    listImageModels: ({ context }) => list(context, 'image'),
    async getModel({ params, context: call }) {
      const found = await gateway.models.find(params.model)
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
