import { isPattern, restOf } from './model-patterns.ts'
import { idOfTarget, type ModelFallback, type ModelRoute, type ModelTarget, type WeightedModel } from './model-route.ts'
import type { TargetOrder } from './target-order.ts'

/** The most routes within each other, and the most models that a route leads to. */
const MAX_DEPTH = 10
const MAX_MODELS = 1000

/** The routes of a gateway, which may lead to each other. */
export interface ModelRoutes {
  /** Those without a star. */
  readonly names: ReadonlyMap<string, ModelRoute>
  /** Returns the route that an id names: its own, or that of the longest pattern that matches it. */
  find(id: string): ModelRoute | undefined
  /** Returns the models to try, in order and each once. The targets of a route within a route are ordered by that route. */
  resolve(route: ModelRoute, streamed: boolean): readonly ModelTarget[]
  /** Returns the first model that a route leads to. */
  first(route: ModelRoute): ModelTarget | undefined
}

/**
 * @param targetOf finds the model of an id
 * @throws TypeError for a route that leads to an id without a model, to itself, too deep or to too many models
 */
export function createModelRoutes(
  aliases: Readonly<Record<string, string | ModelRoute>>,
  targetOf: (id: string) => ModelTarget | undefined,
  orderOf: TargetOrder,
): ModelRoutes {
  const all = new Map(Object.entries(aliases).map(([name, route]) => [name, toRoute(route)]))
  const patterns = [...all.keys()].filter(isPattern).sort((one, other) => other.length - one.length)
  const names = new Map([...all].filter(([name]) => !isPattern(name)))
  const nameOf = new Map([...all].map(([name, route]) => [route, name]))
  const extents = new Map<string, Extent>()
  for (const name of all.keys()) measure(name, [])

  function measure(name: string, path: readonly string[]): Extent {
    const within = [...path, name]
    if (path.includes(name)) throw new TypeError(`The route '${name}' leads to itself: ${within.join(' → ')}`)
    const known = extents.get(name)
    if (known) return known
    const route = all.get(name)
    const inner = route ? idsOf(route).map((id) => measureId(name, id, within)) : []
    const depth = 1 + Math.max(0, ...inner.map((extent) => extent.depth))
    const models = inner.reduce((sum, extent) => sum + extent.models, 0)
    if (depth > MAX_DEPTH) throw new TypeError(`The route '${name}' has more than ${MAX_DEPTH} levels of routes`)
    if (models > MAX_MODELS) throw new TypeError(`The route '${name}' leads to more than ${MAX_MODELS} models`)
    const extent = { depth, models }
    extents.set(name, extent)
    return extent
  }

  function measureId(name: string, id: string, path: readonly string[]): Extent {
    if (isPattern(id) && !isPattern(name)) {
      throw new TypeError(
        `The route '${name}' leads to '${id}', but only a route whose name has a star may lead to one`,
      )
    }
    if (innerOf(name, id)) return measure(id, path)
    if (targetOf(id)) return { depth: 0, models: 1 }
    throw new TypeError(`The route '${name}' leads to '${id}', which no provider has`)
  }

  /** Returns the route that an id names. A route may hide the model with its own id, and lead to it. */
  function innerOf(name: string | undefined, id: string): ModelRoute | undefined {
    return (name === id && targetOf(id)) || isPattern(id) ? undefined : names.get(id)
  }

  function* targetsOf(route: ModelRoute, streamed: boolean): Generator<ModelTarget> {
    const name = nameOf.get(route)
    for (const { model } of orderOf(route, (id) => firstIn(name, id), streamed)) yield* named(name, model, streamed)
    for (const fallback of route.fallbacks ?? []) {
      const { model, on } = toFallback(fallback)
      const conditions = on && new Set(on)
      for (const target of named(name, model, streamed)) yield conditions ? { ...target, on: conditions } : target
    }
  }

  function* named(name: string | undefined, id: string, streamed: boolean): Generator<ModelTarget> {
    const inner = innerOf(name, id)
    const target = inner ? undefined : targetOf(id)
    if (inner) yield* targetsOf(inner, streamed)
    else if (target) yield target
  }

  function firstIn(name: string | undefined, id: string): ModelTarget | undefined {
    const inner = innerOf(name, id)
    return inner ? first(inner) : targetOf(id)
  }

  function first(route: ModelRoute): ModelTarget | undefined {
    return firstIn(nameOf.get(route), route.targets[0].model)
  }

  return {
    names,
    find(id) {
      const own = names.get(id)
      if (own || patterns.length === 0) return own
      for (const pattern of patterns) {
        const rest = restOf(pattern, id)
        const route = rest === undefined ? undefined : all.get(pattern)
        if (route && rest !== undefined) return filled(route, rest)
      }
      return undefined
    },
    resolve: (route, streamed) => unique(targetsOf(route, streamed)),
    first,
  }
}

/** What a route leads to. */
interface Extent {
  /** The routes within each other, itself included. */
  readonly depth: number
  readonly models: number
}

/** Several routes may lead to one model. It is tried after any of the failures for which they name it. */
function unique(targets: Iterable<ModelTarget>): readonly ModelTarget[] {
  const byId = new Map<string, ModelTarget>()
  for (const target of targets) {
    const id = idOfTarget(target)
    const known = byId.get(id)
    if (!known) byId.set(id, target)
    else if (known.on && target.on) byId.set(id, { ...known, on: new Set([...known.on, ...target.on]) })
  }
  return [...byId.values()]
}

const idsOf = ({ targets, fallbacks = [] }: ModelRoute): readonly string[] => [
  ...targets.map(({ model }) => model),
  ...fallbacks.map((fallback) => toFallback(fallback).model),
]

const toRoute = (route: string | ModelRoute): ModelRoute =>
  typeof route === 'string' ? { targets: [{ model: route }] } : route

const toFallback = (fallback: string | ModelFallback): ModelFallback =>
  typeof fallback === 'string' ? { model: fallback } : fallback

/** Returns a route with the text in the place of each star. */
function filled({ targets: [first, ...others], fallbacks, pick }: ModelRoute, rest: string): ModelRoute {
  const fill = <Named extends { readonly model: string }>(named: Named): Named => ({
    ...named,
    model: named.model.replace('*', () => rest),
  })
  const targets: [WeightedModel, ...WeightedModel[]] = [fill(first), ...others.map(fill)]
  return {
    targets,
    ...(pick && { pick }),
    ...(fallbacks && { fallbacks: fallbacks.map((fallback) => fill(toFallback(fallback))) }),
  }
}
