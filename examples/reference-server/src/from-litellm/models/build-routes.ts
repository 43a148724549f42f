import type { FailureDraft, FallbackDraft, RouteDraft, TargetDraft } from '../output/draft.ts'
import type { Ledger } from '../report/ledger.ts'
import type { SourceNode } from '../source/source-node.ts'
import type { FallbackList, FallbackName } from './fallback-lists.ts'
import { hasStar, matchOf } from './star.ts'

/** Bounds of the gateway. */
const MAX_DEPTH = 10
const MAX_MODELS = 1000
const MAX_FALLBACKS = 100

/** Another name of a model. */
export interface Alias {
  readonly name: string
  readonly target: string
  readonly node: SourceNode
}

export interface RouteParts {
  readonly groups: ReadonlyMap<string, readonly TargetDraft[]>
  readonly aliases: readonly Alias[]
  readonly fallbacks: readonly FallbackList[]
  /** For every name without fallbacks of its own. */
  readonly defaults: readonly FallbackName[]
  /** After which failures the fallbacks for all errors are tried. */
  readonly general: readonly FailureDraft[]
  readonly pick: 'latency' | 'cost' | undefined
}

export type ModelEntries = ReadonlyMap<string, string | RouteDraft>

/** Makes the section `models`: routes of the names of `model_list` with their fallbacks, and aliases. */
export function buildRoutes(parts: RouteParts, ledger: Ledger): ModelEntries {
  const groups = new Map(parts.groups)
  const aliases = new Map<string, string>()

  /** Returns the targets of a name that only a pattern matches. */
  function filled(name: string): readonly TargetDraft[] | undefined {
    // The server refuses this name of a key.
    if (name === '__proto__') return undefined
    const patterns = [...groups.keys()].filter(hasStar).sort((one, other) => other.length - one.length)
    for (const pattern of patterns) {
      const rest = matchOf(pattern, name)
      if (rest === undefined) continue
      return groups.get(pattern)?.map((target) => ({ ...target, model: target.model.replace('*', () => rest) }))
    }
    return undefined
  }

  for (const { name, target, node } of parts.aliases) {
    const end = endOf(target, new Map(parts.aliases.map((alias) => [alias.name, alias.target])))
    if (end === undefined || end === name || (!groups.has(end) && filled(end) === undefined) || hasStar(name)) {
      ledger.note(node, 'left out', 'The alias leads to a name that `model_list` does not have.')
      continue
    }
    if (groups.has(name)) {
      ledger.note(
        node,
        'differs',
        'The alias hides the entries of `model_list` with its name, so that these are left out.',
      )
      groups.delete(name)
    }
    const targets = groups.get(end) ?? filled(end)
    if (targets) groups.set(end, targets)
    aliases.set(name, end)
  }

  const edges = new Map<string, Map<string, Set<FailureDraft>>>()
  function connect(from: string, to: FallbackName, on: readonly FailureDraft[]): void {
    const end = aliases.get(to.name) ?? to.name
    const targets = groups.get(end) ?? filled(end)
    const list = edges.get(from) ?? new Map<string, Set<FailureDraft>>()
    if (end === from) {
      ledger.note(to.node, 'not needed', 'The gateway tries each model once, so a model is not its own fallback.')
    } else if (!targets) {
      ledger.note(to.node, 'left out', '`model_list` has no model with this name.')
    } else if (hasStar(end) && !hasStar(from)) {
      ledger.note(to.node, 'left out', 'Only a name with a star may have a fallback with a star.')
    } else if (list.size === MAX_FALLBACKS && !list.has(end)) {
      ledger.note(to.node, 'left out', `A name has at most ${MAX_FALLBACKS} fallbacks.`)
    } else {
      groups.set(end, targets)
      list.set(end, new Set([...(list.get(end) ?? []), ...on]))
      edges.set(from, list)
      ledger.use(to.node)
    }
  }

  const isGeneral = ({ on }: FallbackList): boolean => on === 'error'
  const withGeneral = new Set<string>()
  const wild: FallbackName[] = [...parts.defaults]
  for (const list of parts.fallbacks) {
    if (list.from === '*' && !groups.has('*')) {
      if (isGeneral(list)) wild.unshift(...list.to)
      else ledger.note(list.node, 'left out', 'Only fallbacks for all errors may name every model. Name the models.')
      continue
    }
    const from = aliases.get(list.from) ?? list.from
    if (!groups.has(from)) {
      const targets = filled(from)
      if (!targets) {
        ledger.note(list.node, 'left out', '`model_list` has no model with the name whose fallbacks these are.')
        continue
      }
      groups.set(from, targets)
    }
    if (isGeneral(list)) withGeneral.add(from)
    for (const to of list.to) connect(from, to, isGeneral(list) ? parts.general : [list.on])
  }
  for (const name of [...groups.keys()]) {
    if (withGeneral.has(name)) continue
    for (const to of wild) {
      if ((aliases.get(to.name) ?? to.name) === name) ledger.use(to.node)
      else connect(name, to, parts.general)
    }
  }

  const entries = new Map<string, string | RouteDraft>()
  const nested = nestedEdges(groups, edges)
  const patterns = [...groups].flatMap(([name, [first]]) => (hasStar(name) && first?.model !== name ? [name] : []))
  for (const [name, targets] of groups) {
    const fallbacks = new Map<string, Set<FailureDraft>>()
    for (const [to, on] of edges.get(name) ?? []) {
      const isNested = nested.get(name)?.has(to) ?? false
      for (const model of isNested ? [to] : (groups.get(to) ?? []).map((target) => target.model)) {
        fallbacks.set(model, new Set([...(fallbacks.get(model) ?? []), ...on]))
      }
    }
    const drafts: FallbackDraft[] = [...fallbacks].map(([model, on]) => ({ model, on: [...on] }))
    const [first] = targets
    const isPlain = targets.length === 1 && drafts.length === 0
    // Without an entry of its own, a name is that of another pattern which matches it.
    const isHidden = patterns.some((pattern) => pattern !== name)
    if (isPlain && first?.model === name && !isHidden) continue
    const pick = parts.pick && targets.length > 1 ? parts.pick : undefined
    entries.set(name, isPlain && first ? first.model : { targets, ...(pick && { pick }), fallbacks: drafts })
  }
  for (const [name, end] of aliases) entries.set(name, end)
  return entries
}

/** Follows aliases. `undefined`: they lead to themselves. */
function endOf(target: string, aliases: ReadonlyMap<string, string>): string | undefined {
  const seen = new Set<string>()
  let end = target
  for (let next = aliases.get(end); next !== undefined; next = aliases.get(end)) {
    if (seen.has(end)) return undefined
    seen.add(end)
    end = next
  }
  return end
}

type Edges = ReadonlyMap<string, ReadonlyMap<string, unknown>>

/**
 * Returns the fallbacks that may be the route of that name, which has fallbacks of its own. The others name the models
 * themselves: those that would make a route lead to itself, or pass the gateway's bounds.
 */
function nestedEdges(
  groups: ReadonlyMap<string, readonly TargetDraft[]>,
  edges: Edges,
): ReadonlyMap<string, Set<string>> {
  const nested = new Map<string, Set<string>>()
  const done = new Map<string, { readonly depth: number; readonly models: number }>()
  const open = new Set<string>()

  function visit(name: string): { readonly depth: number; readonly models: number } {
    const known = done.get(name)
    if (known) return known
    open.add(name)
    const own = groups.get(name)?.length ?? 0
    const names = new Set<string>()
    let depth = 1
    let models = own
    for (const to of edges.get(name)?.keys() ?? []) {
      const size = groups.get(to)?.length ?? 0
      const isStar = hasStar(to)
      const inner = open.has(to) || open.size >= MAX_DEPTH || isStar ? undefined : visit(to)
      if (inner && inner.depth < MAX_DEPTH - 1 && models + inner.models <= MAX_MODELS / 2) {
        names.add(to)
        depth = Math.max(depth, inner.depth + 1)
        models += inner.models
      } else models += size
    }
    open.delete(name)
    nested.set(name, names)
    const extent = { depth, models }
    done.set(name, extent)
    return extent
  }
  for (const name of groups.keys()) visit(name)
  return nested
}
