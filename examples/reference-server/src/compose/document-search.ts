import type { SearchEngine } from '@trivium/gateway-core/ports'
import { engineOnUse } from './engine-on-use.ts'
import { triviumDocuments } from './trivium-documents.ts'

/** Returns an engine over Trivium's own documents, which the first search reads. */
export const documentSearch = (id = 'local'): SearchEngine =>
  engineOnUse({
    id,
    types: new Set(['text', 'news', 'images', 'suggestions'] as const),
    load: async () => {
      const { localSearch } = await import('@trivium/search-engines/local')
      const engine = localSearch({ id })
      // One by one, since other requests wait while a document is added.
      for await (const document of triviumDocuments()) engine.add([document])
      return engine
    },
  })
