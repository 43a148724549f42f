import type { Path } from '../read/mistakes.ts'
import type { NamedUpstream } from './named-upstreams.ts'

/** The ids of upstreams, and whether messages may suggest them. */
export type UpstreamIds = ReadonlyMap<string, boolean>

/**
 * Returns the ids of upstreams, also of those with mistakes.
 *
 * @param references where values come from variables, which messages do not suggest
 */
export function upstreamIds(file: object, named: readonly NamedUpstream[], references: readonly Path[]): UpstreamIds {
  const ids = new Map<string, boolean>()
  const hidden = new Set(
    references.flatMap(([section, index, key]) => (section === 'upstreams' && key === 'id' ? [index] : [])),
  )
  const list = 'upstreams' in file && Array.isArray(file.upstreams) ? file.upstreams : []
  for (const [index, item] of list.entries()) {
    if (typeof item !== 'object' || item === null || !('id' in item) || typeof item.id !== 'string') continue
    ids.set(item.id, !hidden.has(index))
  }
  for (const { id } of named) ids.set(id, true)
  // Without upstreams, an Ollama is looked for, and the local models are the last resort.
  if (!('upstreams' in file)) for (const id of ['ollama', 'local']) ids.set(id, true)
  return ids
}
