import type { SearchEngine } from '@trivium/gateway-core/ports'
import type { Configuration } from '../read-settings.ts'
import type { Settings } from '../settings.ts'
import { documentSearch } from './document-search.ts'
import { engineOnUse } from './engine-on-use.ts'

/**
 * Returns the search engines of the file, and those that variables name. The first one is the default. Where the file has
 * none, DuckDuckGo and Trivium's own documents are searched, too.
 */
export async function searchEnginesOf({ settings, config }: Configuration): Promise<readonly SearchEngine[]> {
  const engines = config?.sections.engines
  if (!engines) {
    const others = [...(settings.DUCKDUCKGO_BASE_URL === undefined ? [duckDuckGo] : []), documentSearch()]
    return [...(await namedEngines(settings)), ...others]
  }
  const { engineOf } = await import('../config/gateway/engines-of.ts')
  return [...engines.map(engineOf), ...(await namedEngines(settings))]
}

/** No setting names it, so it is loaded where it is used. */
const duckDuckGo = engineOnUse({
  id: 'duckduckgo',
  types: new Set(['text', 'news', 'images', 'suggestions'] as const),
  load: async () => (await import('@trivium/search-engines/duckduckgo')).duckDuckGoSearch(),
})

async function namedEngines({
  SEARXNG_URL: searxng,
  BRAVE_API_KEY: apiKey,
  BRAVE_BASE_URL: brave,
  DUCKDUCKGO_BASE_URL: duckDuckGo,
}: Settings): Promise<readonly SearchEngine[]> {
  const engines: SearchEngine[] = []
  if (searxng !== undefined) {
    const { searxngSearch } = await import('@trivium/search-engines/searxng')
    engines.push(searxngSearch({ baseUrl: searxng }))
  }
  if (apiKey !== undefined) {
    const { braveSearch } = await import('@trivium/search-engines/brave')
    engines.push(braveSearch({ apiKey, ...(brave === undefined ? {} : { baseUrl: brave }) }))
  }
  if (duckDuckGo !== undefined) {
    const { duckDuckGoSearch } = await import('@trivium/search-engines/duckduckgo')
    engines.push(duckDuckGoSearch({ baseUrl: duckDuckGo }))
  }
  return engines
}
