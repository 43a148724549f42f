import type { SearchEngine } from '@trivium/gateway-core/ports'
import { braveSearch } from '@trivium/search-engines/brave'
import { duckDuckGoSearch } from '@trivium/search-engines/duckduckgo'
import { localSearch } from '@trivium/search-engines/local'
import { searxngSearch } from '@trivium/search-engines/searxng'
import type { Configuration } from '../read-settings.ts'
import type { Settings } from '../settings.ts'
import { triviumDocuments } from './trivium-documents.ts'

/**
 * Returns the search engines of the file, and those that variables name. The first one is the default. Where the file has
 * none, DuckDuckGo and Trivium's own documents are searched, too.
 */
export async function searchEnginesOf({ settings, config }: Configuration): Promise<readonly SearchEngine[]> {
  const engines = config?.sections.engines
  if (!engines) {
    const others = [...(settings.DUCKDUCKGO_BASE_URL === undefined ? [duckDuckGoSearch()] : []), local()]
    return [...namedEngines(settings), ...others]
  }
  const { engineOf } = await import('../config/gateway/engines-of.ts')
  return [...engines.map(engineOf), ...namedEngines(settings)]
}

const local = () => localSearch({ documents: triviumDocuments() })

function namedEngines(settings: Settings): readonly SearchEngine[] {
  const {
    SEARXNG_URL: searxng,
    BRAVE_API_KEY: braveKey,
    BRAVE_BASE_URL: brave,
    DUCKDUCKGO_BASE_URL: duckDuckGo,
  } = settings
  return [
    ...(searxng === undefined ? [] : [searxngSearch({ baseUrl: searxng })]),
    ...(braveKey === undefined
      ? []
      : [braveSearch({ apiKey: braveKey, ...(brave === undefined ? {} : { baseUrl: brave }) })]),
    ...(duckDuckGo === undefined ? [] : [duckDuckGoSearch({ baseUrl: duckDuckGo })]),
  ]
}
