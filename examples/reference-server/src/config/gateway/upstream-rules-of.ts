import type { UpstreamRules, UpstreamRulesByName } from '@trivium/gateway-core'
import type { Sections } from '../schema/sections.ts'
import type { Rules } from '../schema/upstream-rules.ts'
import type { Upstream } from '../schema/upstreams.ts'
import { inCamelCase } from './in-camel-case.ts'

/** Returns how upstreams and their models are called. */
export const upstreamRulesOf = (upstreams: Sections['upstreams'] = []): UpstreamRulesByName =>
  Object.fromEntries(
    upstreams.flatMap((upstream): readonly (readonly [string, UpstreamRules])[] => [
      [upstream.id, { ...rulesOf(upstream), ...modelsOf(upstream) }],
      ...Object.entries(upstream.model_rules ?? {}).map(
        ([model, rules]) => [`${upstream.id}/${model}`, rulesOf(rules)] as const,
      ),
    ]),
  )

/** The ids that the provider itself lists need no rule. */
const modelsOf = (upstream: Upstream): Pick<UpstreamRules, 'models'> =>
  upstream.models === undefined || upstream.models.every(isPlain)
    ? {}
    : { models: [...upstream.models, ...otherModelsOf(upstream)] }

/** A rule is for all models of an upstream. Only those of conversations may have a `*`. */
function otherModelsOf(upstream: Upstream): readonly string[] {
  if (upstream.kind !== 'ai-sdk') return []
  const { image_models, embedding_models, speech_models, transcription_models } = upstream
  return [image_models, embedding_models, speech_models, transcription_models].flatMap((list = []) =>
    list.filter(isPlain),
  )
}

/** Returns the models of an upstream where they are all named. `undefined`: it is asked for its list. */
export const plainModels = (models: readonly string[] | undefined): readonly string[] | undefined =>
  models?.every(isPlain) ? models : undefined

/** Whether a name stands for itself only. */
export const isPlain = (name: string): boolean => !name.includes('*')

function rulesOf({
  timeouts,
  retries,
  parameters,
  forward_headers,
  max_parallel_requests,
  wait_seconds,
}: Rules): UpstreamRules {
  return {
    ...(timeouts && { timeouts: inCamelCase(timeouts) }),
    ...(retries && { retries: inCamelCase(retries) }),
    ...(parameters && { parameters }),
    ...(forward_headers && { forwardHeaders: forward_headers }),
    ...(max_parallel_requests !== undefined && { maxParallelRequests: max_parallel_requests }),
    ...(wait_seconds !== undefined && { waitSeconds: wait_seconds }),
  }
}
