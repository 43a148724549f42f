import type { ModelDraft, UpstreamDraft } from '../output/draft.ts'
import type { Ledger } from '../report/ledger.ts'
import type { Deployment } from './deployment.ts'
import { matchOf } from './star.ts'

const MOST_UPSTREAMS = 200
const MOST_MODELS = 1000

/** A deployment with the id that the gateway has for its model. */
export interface Placed {
  readonly deployment: Deployment
  /** `upstream/model`, which may have a star. */
  readonly id: string
}

export interface Grouped {
  readonly upstreams: readonly UpstreamDraft[]
  readonly placed: readonly Placed[]
}

/** Makes an upstream of all deployments that are reached in the same way, and that do not call one model differently. */
export function groupUpstreams(deployments: readonly Deployment[], ledger: Ledger): Grouped {
  const upstreams: UpstreamDraft[] = []
  const byConnection = new Map<string, UpstreamDraft[]>()
  const ids = new Set<string>()
  const placed: Placed[] = []
  for (const deployment of deployments) {
    const { connection, model, draft } = deployment
    const key = JSON.stringify(connection)
    const similar = byConnection.get(key) ?? []
    let upstream = similar.find((candidate) => accepts(candidate, model, draft))
    if (!upstream) {
      if (upstreams.length === MOST_UPSTREAMS) {
        ledger.note(deployment.node, 'left out', `The file has at most ${MOST_UPSTREAMS} upstreams.`)
        continue
      }
      upstream = { id: freeId(connection.provider, ids), connection, models: new Map() }
      upstreams.push(upstream)
      byConnection.set(key, [...similar, upstream])
    }
    upstream.models.set(model, draft)
    placed.push({ deployment, id: `${upstream.id}/${model}` })
  }
  return { upstreams, placed }
}

/** Rules of a pattern count for each model that matches it. */
function accepts({ models }: UpstreamDraft, model: string, draft: ModelDraft): boolean {
  const wanted = JSON.stringify(draft)
  const known = models.get(model)
  if (known) return JSON.stringify(known) === wanted
  if (models.size >= MOST_MODELS) return false
  for (const [other, theirs] of models) {
    const overlaps = matchOf(other, model) !== undefined || matchOf(model, other) !== undefined
    if (overlaps && JSON.stringify(theirs) !== wanted) return false
  }
  return true
}

function freeId(provider: string, ids: Set<string>): string {
  const base = provider.replace(/^[^a-z0-9]+/, '').slice(0, 50) || 'upstream'
  let id = base
  for (let number = 2; ids.has(id); number += 1) id = `${base}-${number}`
  ids.add(id)
  return id
}
