import { HastyRequest } from './call-lifetime.ts'
import { type Circuit, type CircuitOptions, createCircuit } from './circuit.ts'
import { type DiscoveredModels, type DiscoveryOptions, discoverModels } from './discovered-models.ts'
import type { Provider } from './provider.ts'
import { ProviderFailure } from './provider-error.ts'

/** A provider with what the gateway has learnt about it. */
export interface Upstream {
  readonly provider: Provider
  readonly circuit: Circuit
  readonly models: DiscoveredModels
}

export interface UpstreamsOptions {
  readonly providers: readonly Provider[]
  readonly circuit: CircuitOptions
  readonly discovery: DiscoveryOptions
  readonly onCircuit: (provider: string, state: 'opened' | 'closed') => void
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
      circuit: createCircuit(circuit, {
        isFailure: isUpstreamsFault,
        onOpened: () => onCircuit(id, 'opened'),
        onClosed: () => onCircuit(id, 'closed'),
      }),
    })
  }
  return upstreams
}

/** Neither a bad request nor a limit says that an upstream is broken; a client that left or is in haste says nothing. */
function isUpstreamsFault(thrown: unknown): boolean | undefined {
  if (thrown instanceof HastyRequest) return undefined
  if (!ProviderFailure.is(thrown)) return true
  const { error } = thrown
  if (error.type === 'cancelled') return undefined
  return error.type === 'refused' ? error.status >= 500 : error.type !== 'unsupported'
}
