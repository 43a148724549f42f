import type { SearchEngine } from '@trivium/gateway-core/ports'
import { braveSearch } from '@trivium/search-engines/brave'
import { duckDuckGoSearch } from '@trivium/search-engines/duckduckgo'
import { searxngSearch } from '@trivium/search-engines/searxng'
import { documentSearch } from '../../compose/document-search.ts'
import type { Engine } from '../schema/engines.ts'
import { inCamelCase } from './in-camel-case.ts'

/** Creates a search engine of the file. */
export function engineOf(engine: Engine): SearchEngine {
  switch (engine.kind) {
    case 'searxng': {
      const { kind, headers, ...options } = engine
      return searxngSearch({ ...inCamelCase(options), ...(headers && { headers }) })
    }
    case 'brave': {
      const { kind, ...options } = engine
      return braveSearch(inCamelCase(options))
    }
    case 'duckduckgo': {
      const { kind, ...options } = engine
      return duckDuckGoSearch(inCamelCase(options))
    }
    case 'local':
      return documentSearch(engine.id)
  }
}
