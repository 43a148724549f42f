import type { CompiledUpstreamRules, TargetRules } from '../upstream-rules/compile-upstream-rules.ts'
import { UpstreamPauses } from '../upstream-rules/upstream-pauses.ts'
import type { CircuitOptions } from './circuit.ts'
import { type DiscoveredModels, type DiscoveryOptions, discoverModels } from './discovered-models.ts'
import { createModelCircuits, type ModelCircuits } from './model-circuits.ts'
import type { Provider } from './provider.ts'

/** A provider with its circuits and its loaded models. */
export interface Upstream {
  readonly provider: Provider
  readonly circuits: ModelCircuits
  readonly models: DiscoveredModels
  readonly pauses: UpstreamPauses
  rulesOf(model: string): TargetRules
  /** Returns whether a model may be used. `undefined`: the upstream's own list decides. */
  accepts(model: string): boolean | undefined
}

export interface UpstreamsOptions {
  readonly providers: readonly Provider[]
  readonly circuit: CircuitOptions
  readonly discovery: DiscoveryOptions
  readonly rules: Pick<CompiledUpstreamRules, 'of' | 'accepts'>
  /** Called without a model for the circuit of the connection. */
  readonly onCircuit: (provider: string, state: 'opened' | 'closed', model?: string) => void
}

const PROVIDER_ID = /^[a-z0-9][a-z0-9._-]*$/

/** @throws TypeError for an id that is malformed or occurs twice */
export function createUpstreams({
  providers,
  circuit,
  discovery,
  rules,
  onCircuit,
}: UpstreamsOptions): ReadonlyMap<string, Upstream> {
  const upstreams = new Map<string, Upstream>()
  for (const provider of providers) {
    const { id } = provider
    if (!PROVIDER_ID.test(id)) throw new TypeError(`The provider id '${id}' is malformed`)
    if (upstreams.has(id)) throw new TypeError(`The provider id '${id}' occurs twice`)
    upstreams.set(id, {
      provider,
      models: discoverModels(provider, discovery),
      circuits: createModelCircuits(circuit, (state, model) => onCircuit(id, state, model)),
      pauses: new UpstreamPauses(),
      rulesOf: (model) => rules.of(id, model),
      accepts: (model) => rules.accepts(id, model),
    })
  }
  return upstreams
}
