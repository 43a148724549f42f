import type { EndpointRequest } from '../../endpoints/endpoint-calls.ts'

interface StoredCall {
  readonly query: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly headers: { readonly 'x-trivium-provider'?: string }
}

/** Returns the request for files or batches of the provider that a header or `model` names. */
export function storedRequest(
  { query, headers }: StoredCall,
  request: Pick<EndpointRequest, 'endpoint' | 'method' | 'suffix'> & Partial<EndpointRequest>,
): EndpointRequest {
  const { model, ...passed } = query
  const parameters = new URLSearchParams(
    Object.entries(passed).flatMap(([name, value]) => [value ?? []].flat().map((one) => [name, one])),
  )
  const text = parameters.toString()
  return {
    provider: headers['x-trivium-provider'],
    ...(typeof model === 'string' ? { model } : {}),
    ...request,
    suffix: `${request.suffix ?? ''}${text === '' ? '' : `?${text}`}`,
  }
}
