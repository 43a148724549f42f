import type { Upstream } from '../providers/upstream.ts'

/** The upstream models that serve a model. */
export interface ModelRoute {
  /** For each request one target is selected at random by weight. The others are tried after it. */
  readonly targets: readonly [WeightedModel, ...WeightedModel[]]
  /** Models, as `provider/model`, or other routes, that are tried in this order after all targets. @default none */
  readonly fallbacks?: readonly string[]
}

/** A target of a route. */
export interface WeightedModel {
  /** `provider/model`, or another route, whose own weights decide which of its targets is first. */
  readonly model: string
  /** Relative to the weights of the other targets. A target with 0 is tried after them. @default 1 */
  readonly weight?: number
}

/** A model of an upstream. */
export interface ModelTarget {
  readonly upstream: Upstream
  /** The upstream's own id. */
  readonly model: string
}

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
