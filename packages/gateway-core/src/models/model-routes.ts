import { drawOrder, type ModelRoute, type ModelTarget } from './model-route.ts'

/** The most routes within each other, and the most models that a route leads to. */
const MAX_DEPTH = 10
const MAX_MODELS = 1000

/** The routes of a gateway, which may lead to each other. */
export interface ModelRoutes {
  readonly names: ReadonlyMap<string, ModelRoute>
  /** Returns the models to try, in order and each once. The targets of a route within a route are drawn by its own weights. */
  resolve(route: ModelRoute): readonly ModelTarget[]
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
  random: () => number,
): ModelRoutes {
  const names = new Map(Object.entries(aliases).map(([name, route]) => [name, toRoute(route)]))
  const nameOf = new Map([...names].map(([name, route]) => [route, name]))
  const extents = new Map<string, Extent>()
  for (const name of names.keys()) measure(name, [])

  function measure(name: string, path: readonly string[]): Extent {
    const within = [...path, name]
    if (path.includes(name)) throw new TypeError(`The route '${name}' leads to itself: ${within.join(' → ')}`)
    const known = extents.get(name)
    if (known) return known
    const route = names.get(name)
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
    if (innerOf(name, id)) return measure(id, path)
    if (targetOf(id)) return { depth: 0, models: 1 }
    throw new TypeError(`The route '${name}' leads to '${id}', which no provider has`)
  }

  /** Returns the route that an id names. A route may hide the model with its own id, and lead to it. */
  function innerOf(name: string | undefined, id: string): ModelRoute | undefined {
    return name === id && targetOf(id) ? undefined : names.get(id)
  }

  function* targetsOf(route: ModelRoute): Generator<ModelTarget> {
    const drawn = drawOrder(route.targets, random).map(({ model }) => model)
    for (const id of [...drawn, ...(route.fallbacks ?? [])]) {
      const inner = innerOf(nameOf.get(route), id)
      const target = inner ? undefined : targetOf(id)
      if (inner) yield* targetsOf(inner)
      else if (target) yield target
    }
  }

  function first(route: ModelRoute): ModelTarget | undefined {
    const { model } = route.targets[0]
    const inner = innerOf(nameOf.get(route), model)
    return inner ? first(inner) : targetOf(model)
  }

  return { names, resolve: (route) => unique(targetsOf(route)), first }
}

/** What a route leads to. */
interface Extent {
  /** The routes within each other, itself included. */
  readonly depth: number
  readonly models: number
}

/** Several routes may lead to one model. */
function unique(targets: Iterable<ModelTarget>): readonly ModelTarget[] {
  const byId = new Map<string, ModelTarget>()
  for (const target of targets) {
    const id = `${target.upstream.provider.id}/${target.model}`
    if (!byId.has(id)) byId.set(id, target)
  }
  return [...byId.values()]
}

const idsOf = ({ targets, fallbacks = [] }: ModelRoute): readonly string[] => [
  ...targets.map(({ model }) => model),
  ...fallbacks,
]

const toRoute = (route: string | ModelRoute): ModelRoute =>
  typeof route === 'string' ? { targets: [{ model: route }] } : route
