import type { SecretNames } from '../models/secret-names.ts'
import type { Text } from '../output/draft.ts'
import type { Ledger } from '../report/ledger.ts'
import { Fields } from '../source/fields.ts'
import { itemsOf, type SourceNode } from '../source/source-node.ts'

export type EngineDraft = Readonly<Record<string, Text>>

/** Reads the section `search_tools`. */
export function readSearchTools(
  node: SourceNode | undefined,
  secrets: SecretNames,
  ledger: Ledger,
): readonly EngineDraft[] {
  if (node === undefined) return []
  return itemsOf(node).flatMap((item): readonly EngineDraft[] => {
    const map = item.kind === 'map' ? new Fields(item, ledger).mapOf('litellm_params') : undefined
    const params = map && new Fields(map, ledger)
    const provider = params?.literal('search_provider')
    if (
      item.kind === 'map' &&
      params &&
      (provider === 'searxng' || provider === 'brave' || provider === 'duckduckgo')
    ) {
      const name = new Fields(item, ledger).literal('search_tool_name')
      const id = name !== undefined && /^[a-z0-9][a-z0-9._-]{0,63}$/i.test(name) ? { id: name } : {}
      const base = params.text('api_base')
      const key = params.text('api_key')
      const keyNode = params.node('api_key')
      const secret = typeof key === 'string' ? secrets.variableFor(key, 'BRAVE_API_KEY') : key
      if (provider === 'duckduckgo') return [{ kind: provider, ...id }]
      if (provider === 'searxng' && base !== undefined) return [{ kind: provider, ...id, base_url: base }]
      if (provider === 'brave') {
        if (keyNode && typeof key === 'string')
          ledger.note(keyNode, 'to do', `The secret is not copied. Set the variable ${secret?.variable} to it.`)
        return [{ kind: provider, ...id, api_key: secret ?? { variable: 'BRAVE_API_KEY' } }]
      }
    }
    ledger.note(
      item,
      'left out',
      'The gateway searches with SearXNG, Brave Search or DuckDuckGo: `engines` of the file.',
    )
    return []
  })
}
