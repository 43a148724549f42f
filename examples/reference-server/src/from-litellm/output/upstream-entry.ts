import type { ModelDraft, ModelMode, ModelRules, UpstreamDraft } from './draft.ts'

/** The lists of an upstream of the AI SDK, by what the models are for. */
const modeLists: readonly (readonly [mode: ModelMode, list: string])[] = [
  ['image', 'image_models'],
  ['embedding', 'embedding_models'],
  ['speech', 'speech_models'],
  ['transcription', 'transcription_models'],
]

/** Returns an entry of the section `upstreams`. @param places the most running requests of each model without a number */
export function upstreamEntry({ id, connection, models }: UpstreamDraft, places: number | undefined): object {
  const { kind, package: name, baseUrl, apiKey, headers, options } = connection
  const rules = [...models].map(([model, { rules: own }]) => {
    const { maxParallelRequests = places } = own
    return [
      model,
      ruleEntry({ ...own, ...(maxParallelRequests === undefined ? {} : { maxParallelRequests }) }),
    ] as const
  })
  const [first] = rules
  const isCommon = first !== undefined && rules.every(([, rule]) => JSON.stringify(rule) === JSON.stringify(first[1]))
  // A limit of an upstream would count all of its models together.
  const canLift = isCommon && (rules.length === 1 || !('max_parallel_requests' in first[1]))
  const single = rules.filter(([, rule]) => Object.keys(rule).length > 0)
  const lists = kind === 'ai-sdk' ? listsOf(models) : { models: [...models.keys()] }
  return {
    id,
    kind,
    ...(name === undefined ? {} : { package: name }),
    ...(options && { options }),
    ...(baseUrl === undefined ? {} : { base_url: baseUrl }),
    ...(apiKey === undefined ? {} : { api_key: apiKey }),
    ...(headers && { headers }),
    ...lists,
    ...(canLift ? first[1] : single.length > 0 ? { model_rules: Object.fromEntries(single) } : {}),
  }
}

function listsOf(models: ReadonlyMap<string, ModelDraft>): Record<string, readonly string[]> {
  const lists: Record<string, readonly string[]> = {}
  const of = (mode: ModelMode) => [...models].flatMap(([model, draft]) => (draft.mode === mode ? [model] : []))
  const chat = of('chat')
  if (chat.length > 0) lists.models = chat
  for (const [mode, list] of modeLists) {
    const named = of(mode)
    if (named.length > 0) lists[list] = named
  }
  return lists
}

function ruleEntry({ timeouts, retries, parameters, maxParallelRequests }: ModelRules): object {
  return {
    ...(timeouts && {
      timeouts: {
        ...(timeouts.totalSeconds === undefined ? {} : { total_seconds: timeouts.totalSeconds }),
        ...(timeouts.firstByteSeconds === undefined ? {} : { first_byte_seconds: timeouts.firstByteSeconds }),
      },
    }),
    ...(retries === undefined ? {} : { retries: { retries } }),
    ...(parameters && { parameters }),
    ...(maxParallelRequests === undefined ? {} : { max_parallel_requests: maxParallelRequests }),
  }
}
