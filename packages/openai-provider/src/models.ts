import { ProviderFailure, type ProviderModel } from '@trivium/gateway-core/ports'
import { type CallContext, readJson, type Upstream } from '@trivium/provider-kit'
import { isObject, type JsonObject } from '@trivium/provider-kit/answers'
import { factsOf } from './model-facts.ts'

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

function model(record: JsonObject, kindOf: ModelKind): readonly ProviderModel[] {
  const { id, created, owned_by, display_name: shown, name } = record
  if (typeof id !== 'string' || id === '') return []
  const kind = kindOf(id)
  if (!kind) return []
  const facts = factsOf(record)
  // Together has the first one, OpenRouter the other.
  const displayName = [shown, name].find(isName)
  return [
    {
      id,
      kind,
      ownedBy: typeof owned_by === 'string' ? owned_by : '',
      ...(displayName === undefined ? {} : { displayName }),
      created: Number.isSafeInteger(created) ? Number(created) : 0,
      ...(facts ? { facts } : {}),
    },
  ]
}

/** Longer names are not believed. */
const isName = (value: unknown): value is string => typeof value === 'string' && value !== '' && value.length <= 256

/** Common names of models by their kind. The first that matches counts. */
const names: readonly (readonly [RegExp, ProviderModel['kind'] | undefined])[] = [
  [/^sora/i, undefined],
  [/realtime/i, 'realtime'],
  [/dall-e|gpt-image|chatgpt-image|imagen|stable-?diffusion|sdxl|flux|grok.*image|qwen-?image/i, 'image'],
  [/rerank/i, 'rerank'],
  [/embed/i, 'embedding'],
  [/moderation/i, 'moderation'],
  [/whisper|^tts-|-tts|transcribe/i, 'audio'],
  [/davinci-002|babbage-002|gpt-3\.5-turbo-instruct/i, 'completion'],
]

/**
 * Derives the kind from common names of models, because upstreams list their models without their purpose. Omits models
 * that the gateway cannot call, such as those for video.
 */
export const modelKindByName: ModelKind = (id) => {
  const found = names.find(([pattern]) => pattern.test(id))
  return found ? found[1] : 'chat'
}
