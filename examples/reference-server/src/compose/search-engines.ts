import type { SearchEngine } from '@trivium/gateway-core/ports'
import { braveSearch } from '@trivium/search-engines/brave'
import { duckDuckGoSearch } from '@trivium/search-engines/duckduckgo'
import { localSearch } from '@trivium/search-engines/local'
import { searxngSearch } from '@trivium/search-engines/searxng'
import type { Settings } from '../settings.ts'
import { triviumDocuments } from './trivium-documents.ts'

/** Returns the search engines that the settings name. The first one is the default. */
export function searchEnginesOf(settings: Settings): readonly SearchEngine[] {
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
    duckDuckGoSearch(duckDuckGo === undefined ? {} : { baseUrl: duckDuckGo }),
    localSearch({ documents: triviumDocuments() }),
  ]
}
