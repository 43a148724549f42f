import { nearestName } from '../nearest-name.ts'
import type { Mistake, Path } from '../read/mistakes.ts'
import type { ModelEntry } from '../schema/models.ts'
import type { Sections } from '../schema/sections.ts'
import type { UpstreamIds } from './upstream-ids.ts'

type Models = NonNullable<Sections['models']>

/** Another model that an entry names. */
interface Lead {
  readonly path: Path
  readonly id: string
}

/** What is wrong with the name of a model. */
type Wrong = Pick<Mistake, 'message' | 'inDetail'>

/** The most routes within each other, and the most models that one leads to, as the gateway has them. */
const MAX_DEPTH = 10
const MAX_MODELS = 1000

/** Finds routes that lead to no model, to themselves, or too deep. */
export function modelMistakes(models: Models, upstreams: UpstreamIds): readonly Mistake[] {
  const mistakes: Mistake[] = []
  const extents = new Map<string, { readonly depth: number; readonly models: number }>()
  const names = Object.keys(models).filter((name) => !isPattern(name))

  const innerOf = (name: string, id: string): string | undefined => {
    if (isPattern(id) || !Object.hasOwn(models, id)) return undefined
    // A route may hide the model with its own id, and lead to it.
    return id === name && hasUpstream(id, upstreams) ? undefined : id
  }

  const measure = (name: string, within: readonly string[]): { readonly depth: number; readonly models: number } => {
    const known = extents.get(name)
    if (known) return known
    let depth = 1
    let count = 0
    for (const { path, id } of leadsOf(name, models[name])) {
      const inner = innerOf(name, id)
      if (inner === undefined) {
        count += 1
        continue
      }
      const trail = [...within, inner]
      if (within.includes(inner)) {
        mistakes.push({ path, message: `leads to itself: ${shortened(trail)}` })
        continue
      }
      if (trail.length > MAX_DEPTH) {
        mistakes.push({ path, message: `has more than ${MAX_DEPTH} levels of routes` })
        continue
      }
      const extent = measure(inner, trail)
      depth = Math.max(depth, 1 + extent.depth)
      count += extent.models
    }
    const extent = { depth, models: count }
    extents.set(name, extent)
    if (count > MAX_MODELS)
      mistakes.push({ path: ['models', name], message: `leads to more than ${MAX_MODELS} models` })
    else if (depth > MAX_DEPTH)
      mistakes.push({ path: ['models', name], message: `has more than ${MAX_DEPTH} levels of routes` })
    return extent
  }

  for (const [name, entry] of Object.entries(models)) {
    if (starsIn(name) > 1) mistakes.push({ path: ['models', name], at: 'key', message: 'may have one *' })
    for (const { path, id } of leadsOf(name, entry)) {
      const wrong = leadMistake(name, id)
      if (wrong) mistakes.push({ path, ...wrong })
    }
    measure(name, [name])
  }
  return mistakes

  function leadMistake(name: string, id: string): Wrong | undefined {
    if (starsIn(id) > 1) return { message: 'may have one *' }
    if (isPattern(id) && !isPattern(name)) return { message: 'may have a * only where the name of the route has one' }
    if (innerOf(name, id) !== undefined) return undefined
    const others = names.filter((other) => other !== name)
    return patternMistake(id, models) ?? modelMistake(id, upstreams, others)
  }
}

/** Describes a model that only a pattern has, which counts for requests, and not within routes. */
function patternMistake(id: string, models: Models): Wrong | undefined {
  if (id.includes('/') || isPattern(id)) return undefined
  const [pattern] = Object.keys(models)
    .filter((name) => starsIn(name) === 1 && starOf(name, id) !== undefined)
    .sort((one, other) => other.length - one.length)
  if (pattern === undefined) return undefined
  const [lead] = leadsOf(pattern, models[pattern])
  const meant = lead?.id.replace('*', () => starOf(pattern, id) ?? '')
  const message = 'matches a pattern of models, which a route cannot name'
  return { message, inDetail: () => `matches the pattern ${pattern}, which a route cannot name. Write ${meant}` }
}

/** Returns what the star of a pattern stands for in a name; `undefined` where the name does not match. */
function starOf(pattern: string, name: string): string | undefined {
  const [before = '', after = ''] = pattern.split('*')
  if (name.length < before.length + after.length || !name.startsWith(before) || !name.endsWith(after)) return undefined
  return name.slice(before.length, name.length - after.length)
}

/** Describes why a model does not exist; `undefined` where its upstream exists. */
export function modelMistake(id: string, upstreams: UpstreamIds, names: readonly string[]): Wrong | undefined {
  if (hasUpstream(id, upstreams)) return undefined
  const slash = id.indexOf('/')
  const given = slash < 0 ? id : id.slice(0, slash)
  const meant = () => {
    const nearest = nearestName(given, slash < 0 ? names : shownIds(upstreams))
    return nearest === undefined ? '' : `. Did you mean ${nearest}${slash < 0 ? '' : id.slice(slash)}?`
  }
  if (slash >= 0) {
    return {
      message: 'names an upstream that does not exist',
      inDetail: () => `names the upstream "${given}", which does not exist${meant()}`,
    }
  }
  return {
    message: 'is neither upstream/model nor a name in models',
    inDetail: () => `is "${id}", which is neither upstream/model nor a name in models${meant()}`,
  }
}

const shownIds = (upstreams: UpstreamIds): readonly string[] =>
  [...upstreams].flatMap(([id, isShown]) => (isShown ? [id] : []))

export const hasUpstream = (id: string, upstreams: UpstreamIds): boolean =>
  id.includes('/') && upstreams.has(id.slice(0, id.indexOf('/')))

/** Returns the models that an entry leads to. */
export function leadsOf(name: string, entry: ModelEntry | undefined): readonly Lead[] {
  if (entry === undefined) return []
  if (typeof entry === 'string') return [{ path: ['models', name], id: entry }]
  return (['targets', 'fallbacks'] as const).flatMap((list) =>
    (entry[list] ?? []).map((item, index) =>
      typeof item === 'string'
        ? { path: ['models', name, list, index], id: item }
        : { path: ['models', name, list, index, 'model'], id: item.model },
    ),
  )
}

const starsIn = (name: string): number => name.split('*').length - 1

const isPattern = (name: string): boolean => name.includes('*')

const shortened = (names: readonly string[]): string => names.slice(-6).join(' → ')
