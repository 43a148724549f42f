import type { Upstream } from '../providers/upstream.ts'
import type { FailureKind } from './failure-kind.ts'

/** The upstream models that serve a model. */
export interface ModelRoute {
  /** For each request one target is selected. The others are tried after it, where it fails or is limited. */
  readonly targets: readonly [WeightedModel, ...WeightedModel[]]
  /**
   * Which target is first, of those with the same priority: `weight` selects one at random by weight, `latency` the one
   * that has answered fastest in the last minutes, `cost` the one with the lowest price. Targets whose latency or price is
   * not known are tried first and last.
   *
   * @default 'weight'
   */
  readonly pick?: 'weight' | 'latency' | 'cost'
  /** Models, as `provider/model`, or other routes, that are tried in this order after all targets. @default none */
  readonly fallbacks?: readonly (string | ModelFallback)[]
}

/** A target of a route. */
export interface WeightedModel {
  /** `provider/model`, or another route, which itself decides which of its targets is first. */
  readonly model: string
  /** Relative to the weights of the other targets. A target with 0 is tried after them. @default 1 */
  readonly weight?: number
  /** Targets with a lower number are tried first, 0 to 1,000. @default 0 */
  readonly priority?: number
}

/** A model that is tried after the targets of a route, in some cases only. */
export interface ModelFallback {
  /** `provider/model`, or another route. */
  readonly model: string
  /**
   * What must have failed before: `error` is a failure of the upstream, `rate_limit` its refusal of more requests or a limit
   * of the gateway for it, `context_length` a request that is too long for the model, `refusal` one whose content the
   * upstream or the model refuses. A model that refuses within a stream has begun its answer, which is passed on.
   *
   * @default ['error', 'rate_limit']
   */
  readonly on?: readonly FailureKind[]
}

/** A model of an upstream. */
export interface ModelTarget {
  readonly upstream: Upstream
  /** The upstream's own id. */
  readonly model: string
  /** What must have failed before it is tried. @default an error or a rate limit */
  readonly on?: ReadonlySet<FailureKind>
}

/** Returns the id `provider/model`. */
export const idOfTarget = ({ upstream, model }: ModelTarget): string => `${upstream.provider.id}/${model}`

/** Orders targets at random. A target with a greater weight is more often at the front. */
export function drawOrder(targets: readonly WeightedModel[], random: () => number): readonly WeightedModel[] {
  if (targets.length < 2) return targets
  const left = [...targets]
  const order: WeightedModel[] = []
  while (left.length > 0) {
    let place = random() * left.reduce((sum, { weight = 1 }) => sum + weight, 0)
    const index = left.findIndex(({ weight = 1 }) => {
      place -= weight
      return place < 0
    })
    order.push(...left.splice(Math.max(0, index), 1))
  }
  return order
}
