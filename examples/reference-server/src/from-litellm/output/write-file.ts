import { Document, isMap, isScalar, isSeq } from 'yaml'
import type { ModelEntries } from '../models/build-routes.ts'
import { hasStar } from '../models/star.ts'
import type { UpstreamDraft } from './draft.ts'
import { textsOf } from './texts-of.ts'
import { upstreamEntry } from './upstream-entry.ts'

export interface FileDraft {
  readonly variables: Readonly<Record<string, unknown>>
  readonly upstreams: readonly UpstreamDraft[]
  readonly models: ModelEntries
  readonly maxParallelRequests: number | undefined
  readonly timeouts: object
  readonly retries: object
  readonly circuit: object
  readonly cache: object | undefined
  readonly requestLog: object | undefined
  readonly guardrails: readonly object[]
  readonly engines: readonly object[]
}

const HEADER =
  ' Translated from a file of the LiteLLM proxy by `npm run from-litellm`.\n A value that is exactly $NAME is that variable of the environment.'

/** What is said above a section. */
const comments: Readonly<Record<string, string>> = {
  upstreams: ' Clients name a model as id/model, or by a name of the section models.',
  models: ' The names of model_list, with their fallbacks.',
  prices: ' US dollars for a million tokens.',
  guardrails: ' Each checks all requests.',
}

/** Writes the gateway's file in YAML. */
export function writeFile(draft: FileDraft): string {
  const sections: Record<string, unknown> = {
    ...draft.variables,
    upstreams: draft.upstreams.map((upstream) => upstreamEntry(upstream, draft.maxParallelRequests)),
    models: Object.fromEntries([...draft.models].map(([name, entry]) => [name, modelEntry(entry)])),
    prices: pricesOf(draft.upstreams),
    timeouts: draft.timeouts,
    retries: draft.retries,
    circuit: draft.circuit,
    cache: draft.cache,
    request_log: draft.requestLog,
    guardrails: draft.guardrails,
    engines: draft.engines,
  }
  const filled = Object.entries(sections).filter(([, section]) => !isEmpty(section))
  const document = new Document(Object.fromEntries(filled.map(([name, section]) => [name, textsOf(section)])), {
    aliasDuplicateObjects: false,
  })
  document.commentBefore = HEADER
  const { contents } = document
  for (const { key, value } of isMap(contents) ? contents.items : []) {
    if (isScalar(key)) {
      const comment = comments[String(key.value)]
      if (comment !== undefined) key.commentBefore = comment
      if ((isMap(value) || isSeq(value)) && String(key.value) !== filled[0]?.[0]) key.spaceBefore = true
    }
    flatten(value)
  }
  return document.toString({ lineWidth: 0, flowCollectionPadding: false })
}

/** Writes short lists within others on one line. */
function flatten(node: unknown): void {
  for (const item of isSeq(node) ? node.items : isMap(node) ? node.items.map(({ value }) => value) : []) {
    if (isSeq(item) && item.items.length <= 4 && item.items.every(isScalar)) item.flow = true
    flatten(item)
  }
}

function modelEntry(entry: ModelEntries extends ReadonlyMap<string, infer Entry> ? Entry : never): unknown {
  if (typeof entry === 'string') return entry
  const { targets, pick, fallbacks } = entry
  return {
    targets: targets.map(({ model, weight, priority }) => ({
      model,
      ...(weight === undefined ? {} : { weight }),
      ...(priority === undefined ? {} : { priority }),
    })),
    ...(pick && { pick }),
    ...(fallbacks.length > 0 && { fallbacks: fallbacks.map(({ model, on }) => ({ model, on })) }),
  }
}

function pricesOf(upstreams: readonly UpstreamDraft[]): Record<string, unknown> {
  const prices: Record<string, unknown> = {}
  for (const { id, models } of upstreams) {
    for (const [model, { price }] of models) {
      const canBeNamed = !hasStar(model) || model.endsWith('*')
      if (Object.keys(price).length > 0 && canBeNamed) prices[`${id}/${model}`] = price
    }
  }
  return prices
}

const isEmpty = (section: unknown): boolean =>
  section === undefined || (typeof section === 'object' && section !== null && Object.keys(section).length === 0)
