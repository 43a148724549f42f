import { err, ok, type Result } from 'neverthrow'
import type { ModelCallRequest } from '../models/model-call.ts'
import type { Upstream } from '../providers/upstream.ts'
import type { Endpoint } from './endpoint.ts'
import type { EndpointError } from './endpoint-calls.ts'

/** Returns the provider of a request without a model: the one that it names, or the only one. */
export function providerFor(
  upstreams: ReadonlyMap<string, Upstream>,
  endpoint: Endpoint,
  named: string | undefined,
): Result<Pick<ModelCallRequest<unknown>, 'model' | 'targets'>, EndpointError> {
  const able = [...upstreams.values()].filter(({ provider }) => provider.endpoints?.supports(endpoint))
  const [only] = able
  const found =
    named === undefined ? (able.length === 1 ? only : undefined) : able.find(({ provider }) => provider.id === named)
  if (found) return ok({ model: `${found.provider.id}/${endpoint}`, targets: [{ upstream: found, model: endpoint }] })
  if (named !== undefined) return err({ type: 'provider-unsupported', provider: named, endpoint })
  return err({ type: 'provider-unnamed', endpoint, providers: able.map(({ provider }) => provider.id) })
}
