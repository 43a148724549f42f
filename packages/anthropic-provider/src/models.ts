import { ProviderFailure, type ProviderModel } from '@trivium/gateway-core/ports'
import { isObject, listOr, objectOr, parseJson, textOr } from './json.ts'
import type { MessagesUpstream } from './transport/messages-upstream.ts'

/** Pages of 1000 models. */
const MAX_PAGES = 10
const CONNECT_TIMEOUT_MS = 10_000

export async function listedModels(upstream: MessagesUpstream, signal: AbortSignal): Promise<readonly ProviderModel[]> {
  const models: ProviderModel[] = []
  let after = ''
  for (let page = 0; page < MAX_PAGES; page++) {
    const query = new URLSearchParams({ limit: '1000', ...(after === '' ? {} : { after_id: after }) })
    const { text } = await upstream.get(`/v1/models?${query}`, {
      signal,
      headers: {},
      connectTimeoutMs: CONNECT_TIMEOUT_MS,
    })
    const answer = parseJson(await text())
    if (!isObject(answer) || !Array.isArray(answer.data)) {
      throw new ProviderFailure({ type: 'malformed', message: 'The upstream answered with something that is no list.' })
    }
    models.push(...listOr(answer.data).flatMap(model))
    after = textOr(answer.last_id)
    if (answer.has_more !== true || after === '') break
  }
  return models
}

function model(value: unknown): readonly ProviderModel[] {
  const { id, created_at } = objectOr(value)
  if (typeof id !== 'string' || id === '') return []
  const created = Date.parse(textOr(created_at))
  return [{ id, kind: 'chat', ownedBy: 'anthropic', created: Number.isNaN(created) ? 0 : Math.floor(created / 1000) }]
}
