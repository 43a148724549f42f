import { ProviderFailure, type ProviderModel } from '@trivium/gateway-core/ports'
import { type CallContext, readJson, type Upstream } from '@trivium/provider-kit'
import { isObject, objectOr, textOr } from '@trivium/provider-kit/answers'

/** The most pages that are read, of 1000 models each. */
const MAX_PAGES = 10

export async function listedModels(upstream: Upstream, context: CallContext): Promise<readonly ProviderModel[]> {
  const models: ProviderModel[] = []
  let after = ''
  for (let page = 0; page < MAX_PAGES; page++) {
    const query = new URLSearchParams({ limit: '1000', ...(after === '' ? {} : { after_id: after }) })
    const answer = await readJson(await upstream.ask({ path: `/v1/models?${query}` }, context))
    if (!isObject(answer) || !Array.isArray(answer.data)) {
      throw new ProviderFailure({ type: 'malformed', message: 'The upstream answered without a list of models.' })
    }
    models.push(...answer.data.flatMap(model))
    after = textOr(answer.last_id)
    if (answer.has_more !== true || after === '') break
  }
  return models
}

function model(value: unknown): readonly ProviderModel[] {
  const { id, created_at, display_name: name, max_input_tokens: context, max_tokens: output } = objectOr(value)
  if (typeof id !== 'string' || id === '') return []
  const created = Date.parse(textOr(created_at))
  const facts = {
    ...(isCount(context) ? { contextLength: context } : {}),
    ...(isCount(output) ? { maxOutputTokens: output } : {}),
  }
  return [
    {
      id,
      kind: 'chat',
      ownedBy: 'anthropic',
      ...(isName(name) ? { displayName: name } : {}),
      created: Number.isNaN(created) ? 0 : Math.floor(created / 1000),
      ...(Object.keys(facts).length > 0 ? { facts } : {}),
    },
  ]
}

/** Longer names are not believed. */
const isName = (value: unknown): value is string => typeof value === 'string' && value !== '' && value.length <= 256

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) > 0
