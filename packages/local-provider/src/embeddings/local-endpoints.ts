import {
  type EndpointAnswer,
  type EndpointProvider,
  type ProviderEndpointRequest,
  ProviderFailure,
} from '@trivium/gateway-core/ports'
import { embeddingsOf } from './local-embeddings.ts'
import { rankingOf } from './local-ranking.ts'

/** The ids state that similarity is that of words. */
export const EMBEDDING_MODEL = 'embedding-1-lexical'
export const RERANK_MODEL = 'rerank-1-lexical'

const encoder = new TextEncoder()

/** Creates the endpoints of the local models for embeddings and reranking. */
export const createLocalEndpoints = (): EndpointProvider => ({
  supports: (endpoint) => endpoint === 'embeddings' || endpoint === 'rerank',
  send: async (request, { signal }) => {
    const body = request.body?.value ?? {}
    return request.endpoint === 'embeddings'
      ? answer(await embeddingsOf(named(request, EMBEDDING_MODEL), body, signal))
      : answer(await rankingOf(named(request, RERANK_MODEL), body, signal))
  },
})

const answer = (json: string): EndpointAnswer => ({
  kind: 'whole',
  contentType: 'application/json',
  bytes: encoder.encode(json),
})

/** @throws ProviderFailure for another model */
function named({ model }: ProviderEndpointRequest, expected: string): string {
  if (model === expected) return expected
  throw new ProviderFailure({
    type: 'refused',
    status: 404,
    code: 'model_not_found',
    param: 'model',
    message: `The model does not exist. Use '${expected}'.`,
  })
}
