import type { CircuitOptions } from './circuit.ts'
import { type DiscoveredModels, type DiscoveryOptions, discoverModels } from './discovered-models.ts'
import { createModelCircuits, type ModelCircuits } from './model-circuits.ts'
import type { Provider } from './provider.ts'

/** A provider with its circuits and its loaded models. */
export interface Upstream {
  readonly provider: Provider
  readonly circuits: ModelCircuits
  readonly models: DiscoveredModels
}

export interface UpstreamsOptions {
  readonly providers: readonly Provider[]
  readonly circuit: CircuitOptions
  readonly discovery: DiscoveryOptions
  /** Called without a model for the circuit of the connection. */
  readonly onCircuit: (provider: string, state: 'opened' | 'closed', model?: string) => void
}

const PROVIDER_ID = /^[a-z0-9][a-z0-9._-]*$/

/** @throws TypeError for an id that is malformed or occurs twice */
export function createUpstreams({
  providers,
  circuit,
  discovery,
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
    })
  }
  return upstreams
}
