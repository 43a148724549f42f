import type { SearchEngine } from '@trivium/gateway-core/ports'

/** An engine before it is loaded. */
export interface EngineOnUse extends Pick<SearchEngine, 'id' | 'types'> {
  readonly load: () => Promise<SearchEngine>
}

/** Returns an engine that is loaded with its first search. After a failure the next search loads it. */
export function engineOnUse({ id, types, load }: EngineOnUse): SearchEngine {
  let loading: Promise<SearchEngine> | undefined
  return {
    id,
    types,
    async search(query, context) {
      loading ??= load().catch((error: unknown) => {
        loading = undefined
        throw error
      })
      return (await loading).search(query, context)
    },
  }
}
