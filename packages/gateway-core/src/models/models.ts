import { err, ok, type Result, ResultAsync } from 'neverthrow'
import type { Dialect } from '../dialects/dialect.ts'
import type { Outcome } from '../outcome.ts'
import type { ProviderModel } from '../providers/provider.ts'
import type { Upstream } from '../providers/upstream.ts'
import type { ModelFacts } from './model-facts.ts'
import { type FactsByModel, factsFor } from './model-facts.ts'
import { idOfTarget, type ModelRoute, type ModelTarget } from './model-route.ts'
import { createModelRoutes } from './model-routes.ts'
import type { TargetOrder } from './target-order.ts'

/** A model in the list for clients. */
export interface Model {
  /** `provider/model`, or an alias. */
  readonly id: string
  readonly kind: ProviderModel['kind']
  readonly ownedBy: string
  /** The upstream's own name of the model for people. Absent for aliases. */
  readonly displayName?: string
  /** Seconds since 1970. */
  readonly created: number
  /** From the host and the upstream. The host's facts replace the upstream's one by one. */
  readonly facts?: ModelFacts
  /** The protocols of conversations that its provider speaks. Absent for models that are not for chat. */
  readonly dialects?: readonly Dialect[]
  /** The ids `provider/model` that an alias leads to. Absent for other models. */
  readonly targets?: readonly string[]
}

/** Why a model cannot be used. */
export type ModelError =
  /** `candidates`: the full ids, where several upstreams have a model with that id. */
  | { readonly type: 'model-not-found'; readonly model: string; readonly candidates: readonly string[] }
  | { readonly type: 'model-kind-mismatch'; readonly model: string; readonly kind: ProviderModel['kind'] }

/** The models of all upstreams, and the aliases. */
export interface Models {
  /** Returns the models in the order of their ids, without those of upstreams that never returned a list. */
  list(kind?: ProviderModel['kind']): Promise<readonly Model[]>
  /** Finds a model by `provider/model`, an alias, or an upstream's own id that only one upstream has. */
  find(id: string): ResultAsync<Model, ModelError>
  /** Returns the models to try for a request, in order. @param streamed whether the answer is a stream. @default false */
  resolve(id: string, kind: ProviderModel['kind'], streamed?: boolean): Outcome<readonly ModelTarget[], ModelError>
}

export interface ModelsOptions {
  readonly upstreams: ReadonlyMap<string, Upstream>
  /** Additional model ids, which hide models with the same id. The value is `provider/model`, another id of these, or a route. */
  readonly aliases: Readonly<Record<string, string | ModelRoute>>
  /** @default none */
  readonly facts?: FactsByModel
  /** Returns what is known of a model that neither the host nor its upstream describes. @default nothing */
  readonly knownFacts?: (provider: string, model: string) => ModelFacts | undefined
  readonly orderOf: TargetOrder
}

export function createModels({ upstreams, aliases, facts = {}, knownFacts, orderOf }: ModelsOptions): Models {
  const targetOf = (id: string): ModelTarget | undefined => {
    const slash = id.indexOf('/')
    const upstream = slash < 0 ? undefined : upstreams.get(id.slice(0, slash))
    return upstream && { upstream, model: id.slice(slash + 1) }
  }
  const routes = createModelRoutes(aliases, targetOf, orderOf)

  /**
   * Returns `unknown` where the upstream never returned its models, or does not list one that the host allows. The upstream
   * then decides itself.
   */
  const lookUp = async ({ upstream, model }: ModelTarget): Promise<ProviderModel | 'unknown' | undefined> => {
    const accepted = upstream.accepts(model)
    if (accepted === false) return undefined
    const models = accepted ? await upstream.models.current() : await upstream.models.currentWith(model)
    return models?.get(model) ?? (models && !accepted ? undefined : 'unknown')
  }

  const byBareId = async (id: string): Promise<readonly ModelTarget[]> => {
    const all = [...upstreams.values()]
    const lists = await Promise.all(all.map((upstream) => upstream.models.current()))
    return all
      .filter((upstream, index) => lists[index]?.has(id) && upstream.accepts(id) !== false)
      .map((upstream) => ({ upstream, model: id }))
  }

  const locate = async (
    id: string,
  ): Promise<Result<{ target: ModelTarget; model: ProviderModel | 'unknown' }, ModelError>> => {
    const whole = targetOf(id)
    const candidates = whole ? [whole] : await byBareId(id)
    const [target] = candidates
    const model = target && candidates.length === 1 ? await lookUp(target) : undefined
    if (target && model) return ok({ target, model })
    const ids = candidates.length > 1 ? candidates.map(idOfTarget) : []
    return err({ type: 'model-not-found', model: id, candidates: ids })
  }

  return {
    async list(kind) {
      const models: Model[] = []
      for (const upstream of upstreams.values()) void upstream.models.current()
      for (const upstream of upstreams.values()) {
        for (const model of (await upstream.models.current())?.values() ?? []) {
          const id = idOfTarget({ upstream, model: model.id })
          const isHidden = routes.names.has(id) || upstream.accepts(model.id) === false
          if (!isHidden) models.push(describe(id, model, upstream))
        }
      }
      for (const [id, route] of routes.names) models.push(await aliasModel(id, route))
      return models.filter((model) => kind === undefined || model.kind === kind).sort(byId)
    },

    find(id) {
      const route = routes.find(id)
      if (route) return ResultAsync.fromSafePromise(aliasModel(id, route))
      return new ResultAsync(locate(id)).andThen(({ target, model }) =>
        model === 'unknown'
          ? err({ type: 'model-not-found', model: id, candidates: [] } as const)
          : ok(describe(idOfTarget(target), model, target.upstream)),
      )
    },

    resolve(id, kind, streamed = false) {
      const route = routes.find(id)
      if (route) return ok(routes.resolve(route, streamed))
      const whole = targetOf(id)
      const model = whole?.upstream.models.fresh?.get(whole.model)
      if (whole && model && whole.upstream.accepts(model.id) !== false) return targetsOf(id, kind, whole, model)
      return new ResultAsync(locate(id)).andThen(({ target, model }) => targetsOf(id, kind, target, model))
    },
  }

  /** An alias has the kind of its first target. */
  async function aliasModel(id: string, route: ModelRoute): Promise<Model> {
    const target = routes.first(route)
    const model = target && (await lookUp(target))
    const kind = model === 'unknown' || !model ? 'chat' : model.kind
    const known = model === 'unknown' ? undefined : model
    const upstreamFacts = target && {
      ...knownFacts?.(target.upstream.provider.id, target.model),
      ...known?.facts,
      ...factsFor(facts, idOfTarget(target)),
    }
    const merged = { ...upstreamFacts, ...factsFor(facts, id) }
    return {
      id,
      kind,
      ownedBy: 'gateway',
      created: 0,
      ...(Object.keys(merged).length > 0 ? { facts: merged } : {}),
      ...(target && kind === 'chat' ? { dialects: dialectsOf(target.upstream) } : {}),
      targets: routes.resolve(route, false).map(idOfTarget),
    }
  }

  function describe(id: string, { facts: listed, ...model }: ProviderModel, upstream: Upstream): Model {
    const merged = { ...knownFacts?.(upstream.provider.id, model.id), ...listed, ...factsFor(facts, id) }
    return {
      ...model,
      id,
      ...(Object.keys(merged).length > 0 ? { facts: merged } : {}),
      ...(model.kind === 'chat' ? { dialects: dialectsOf(upstream) } : {}),
    }
  }
}

function targetsOf(
  id: string,
  kind: ProviderModel['kind'],
  target: ModelTarget,
  model: ProviderModel | 'unknown',
): Result<readonly ModelTarget[], ModelError> {
  if (model === 'unknown' || !areExclusive(kind, model.kind)) return ok([target])
  return err({ type: 'model-kind-mismatch', model: id, kind: model.kind })
}

/**
 * Whether no model of one kind serves requests of the other. Kinds come from names, so only those of chats and images
 * are relied on. For others, the upstream decides.
 */
const areExclusive = (kind: ProviderModel['kind'], other: ProviderModel['kind']): boolean =>
  kind !== other && isConversationOrImage(kind) && isConversationOrImage(other)

const isConversationOrImage = (kind: ProviderModel['kind']): boolean => kind === 'chat' || kind === 'image'

const dialectsOf = ({ provider }: Upstream): readonly Dialect[] => dialects.filter((dialect) => provider[dialect])

const dialects: readonly Dialect[] = ['chat', 'responses', 'messages']

const byId = (one: Model, other: Model): number => (one.id < other.id ? -1 : 1)
