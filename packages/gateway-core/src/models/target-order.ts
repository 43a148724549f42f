import type { Latencies } from './latencies.ts'
import { drawOrder, type ModelRoute, type ModelTarget, type WeightedModel } from './model-route.ts'

/** Orders the targets of a route for one request. @param targetOf returns the first model that a target leads to */
export type TargetOrder = (
  route: ModelRoute,
  targetOf: (id: string) => ModelTarget | undefined,
  streamed: boolean,
) => readonly WeightedModel[]

export interface TargetOrderParts {
  readonly latencies: Latencies
  /** Returns what a typical request costs at a model; `undefined` where its price is not known. */
  readonly costOf: (provider: string, model: string) => number | undefined
  readonly random: () => number
}

/** Before all that are known. */
const UNKNOWN = -1

/** Orders by priority, then by what the route picks. */
export function createTargetOrder({ latencies, costOf, random }: TargetOrderParts): TargetOrder {
  /** Lower is earlier. */
  const rank = (pick: 'latency' | 'cost', target: ModelTarget | undefined, streamed: boolean): number => {
    if (!target) return Number.POSITIVE_INFINITY
    if (pick === 'cost') return costOf(target.upstream.provider.id, target.model) ?? Number.POSITIVE_INFINITY
    return (
      latencies.of(target, streamed) ?? (latencies.isTrialDue(target, streamed) ? UNKNOWN : Number.POSITIVE_INFINITY)
    )
  }

  return ({ targets, pick = 'weight' }, targetOf, streamed) => {
    if (targets.length < 2) return targets
    const drawn = drawOrder(targets, random)
    const ranks =
      pick === 'weight' ? undefined : new Map(drawn.map((each) => [each, rank(pick, targetOf(each.model), streamed)]))
    if (!ranks && targets.every(({ priority = 0 }) => priority === 0)) return drawn
    // Infinite ranks are equal, and the sort keeps the order of those that are.
    const later = (one: number, other: number) => (one === other ? 0 : one - other)
    const order = [...drawn].sort(
      (one, other) =>
        (one.priority ?? 0) - (other.priority ?? 0) || later(ranks?.get(one) ?? 0, ranks?.get(other) ?? 0),
    )
    const [first] = order
    const measured = first && pick === 'latency' && ranks?.get(first) === UNKNOWN ? targetOf(first.model) : undefined
    if (measured) latencies.beginTrial(measured, streamed)
    return order
  }
}
