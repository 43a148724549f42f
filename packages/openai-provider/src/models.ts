import { ProviderFailure, type ProviderModel } from '@trivium/gateway-core/ports'
import { type CallContext, readJson, type Upstream } from '@trivium/provider-kit'
import { isObject, type JsonObject } from '@trivium/provider-kit/answers'

/** Returns how the gateway offers a model, by the upstream's own id; `undefined` to omit it. */
export type ModelKind = (id: string) => ProviderModel['kind'] | undefined

/** The most models that are read from an upstream. */
const MAX_MODELS = 10_000

export async function upstreamModels(
  upstream: Upstream,
  kindOf: ModelKind,
  context: CallContext,
): Promise<readonly ProviderModel[]> {
  const answer = await readJson(await upstream.ask({ path: '/models' }, context))
  const records = Array.isArray(answer) ? answer : isObject(answer) ? answer.data : undefined
  if (!Array.isArray(records)) {
    throw new ProviderFailure({ type: 'malformed', message: 'The upstream answered without a list of models.' })
  }
  return records.slice(0, MAX_MODELS).flatMap((record) => (isObject(record) ? model(record, kindOf) : []))
}

function model({ id, created, owned_by }: JsonObject, kindOf: ModelKind): readonly ProviderModel[] {
  if (typeof id !== 'string' || id === '') return []
  const kind = kindOf(id)
  if (!kind) return []
  return [
    {
      id,
      kind,
      ownedBy: typeof owned_by === 'string' ? owned_by : '',
      created: Number.isSafeInteger(created) ? Number(created) : 0,
    },
  ]
}

/**
 * Derives the kind from common names of models, because upstreams list their models without their purpose. Omits models
 * that are neither for chat nor for images.
 */
export const modelKindByName: ModelKind = (id) => {
  if (/dall-e|gpt-image|chatgpt-image|imagen|stable-?diffusion|sdxl|flux|grok.*image/i.test(id)) return 'image'
  if (/embed|whisper|^tts-|-tts|transcribe|moderation|rerank|realtime|^sora|davinci-002|babbage-002/i.test(id))
    return undefined
  return 'chat'
}
