import type { Upstream } from '../providers/upstream.ts'

/** Where requests for a model go. */
export interface ModelRoute {
  /** One is drawn for each request, as often as its weight says; the others are tried after it. */
  readonly targets: readonly [WeightedModel, ...WeightedModel[]]
  /** Tried in this order after all targets. */
  readonly fallbacks?: readonly string[]
}

export interface WeightedModel {
  /** `provider/model` */
  readonly model: string
  /** @default 1 */
  readonly weight?: number
}

/** A model of one upstream. */
export interface ModelTarget {
  readonly upstream: Upstream
  /** The upstream's own id. */
  readonly model: string
}

/** Draws without putting back: heavier targets tend to the front. */
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
