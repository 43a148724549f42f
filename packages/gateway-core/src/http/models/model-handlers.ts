import type { RequestHeaders } from '@trivium/http-contract'
import { policiesOf } from '../../accounts/account.ts'
import type { Caller, GatewayCall } from '../../caller.ts'
import type { Model } from '../../models/models.ts'
import { allowedTargets, type ModelNotAllowed } from '../../policies/policy-decisions.ts'
import { Turns } from '../../turns.ts'
import { answerHeaders } from '../access/answer-headers.ts'
import { type GatewayHandlers, type HandlerParts, refuseCall } from '../handler-parts.ts'
import { toAnthropicList, toAnthropicWire, toWire } from './model-wire.ts'

type ModelHandlers = GatewayHandlers<'listModels' | 'getModel' | 'listImageModels'>

export function modelHandlers({ gateway, now }: HandlerParts): ModelHandlers {
  const list = async (call: GatewayCall, kind?: Model['kind']) => {
    const admitted = await gateway.limits.admit(call)
    if (admitted.isErr()) return refuseCall(admitted.error, call, now())
    const models = await visibleTo(call.caller, await gateway.models.list(kind))
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
      const models = await visibleTo(call.caller, await gateway.models.list())
      return { status: 200, headers: answerHeaders(call, now()), body: toAnthropicList(models) }
    },
    listImageModels: (call) => list(call, 'image'),
    async getModel(call) {
      const { model } = call.params
      const found = await gateway.models.find(model)
      const refused = refusedModel(call.caller, model, found.isOk() ? [found.value] : [])
      if (refused) return refuseCall(refused, call, now())
      if (found.isErr()) return refuseCall(found.error, call, now())
      const admitted = await gateway.limits.admit(call)
      if (admitted.isErr()) return refuseCall(admitted.error, call, now())
      const body = isAnthropicCall(call.rawHeaders) ? toAnthropicWire(found.value) : toWire(found.value)
      return { status: 200, headers: answerHeaders(call, now()), body }
    },
  }
}

/** Returns the models that the policies of a caller allow. */
async function visibleTo(caller: Caller, models: readonly Model[]): Promise<readonly Model[]> {
  if (policiesOf(caller).length === 0) return models
  const turns = new Turns()
  const visible: Model[] = []
  for (const model of models) {
    if (turns.isDue) await turns.next()
    if (!refusedModel(caller, model.id, [model])) visible.push(model)
  }
  return visible
}

function refusedModel(caller: Caller, named: string, models: readonly Model[]): ModelNotAllowed | undefined {
  const targets = models.flatMap((model) => model.targets ?? [model.id])
  const decision = allowedTargets(policiesOf(caller), named, targets, (id) => id)
  return 'type' in decision ? decision : undefined
}

/** Anthropic's clients send their version with every request. */
const isAnthropicCall = (headers: RequestHeaders): boolean => headers['anthropic-version'] !== undefined
