import { err, ok, type Result } from 'neverthrow'
import type { BudgetError } from '../budgets/budget-error.ts'
import type { MostUse } from '../budgets/budget-refusal.ts'
import type { Nanodollars } from '../money/dollars.ts'
import type { UsageBound } from '../prices/cost.ts'
import type { NoBound, PricedModel, Prices } from '../prices/create-prices.ts'
import type { ModelFacts } from './model-facts.ts'
import { idOfTarget, type ModelTarget } from './model-route.ts'

/** What the prices of models are needed for before a request. */
export interface CostBounds {
  /** Returns the most that any of the models costs for a use. */
  mostOf(targets: readonly ModelTarget[], use: UsageBound): Nanodollars | NoBound
  /** Returns the output tokens that each of the models accepts as a limit; `undefined` where that is not known of any. */
  mostOutputTokens(targets: readonly ModelTarget[]): number | undefined
}

/**
 * Reads the bounds from prices and facts.
 *
 * @param factsOf returns what the host has set of a model, by its id
 */
export const costBounds = (
  prices: Pick<Prices, 'mostOf' | 'mostOutputTokens' | 'factsOf'>,
  factsOf: (id: string) => ModelFacts | undefined,
): CostBounds => ({
  mostOf: (targets, use) =>
    prices.mostOf(
      targets.map((target) => pricedModel(target, prices, factsOf)),
      use,
    ),
  mostOutputTokens(targets) {
    const known = targets.flatMap(({ upstream, model }) => prices.mostOutputTokens(upstream.provider.id, model) ?? [])
    return known.length > 0 ? Math.min(...known) : undefined
  },
})

function pricedModel(
  target: ModelTarget,
  prices: Pick<Prices, 'factsOf'>,
  factsOf: (id: string) => ModelFacts | undefined,
): PricedModel {
  const { upstream, model } = target
  const provider = upstream.provider.id
  // The host knows best. Of others, the larger context is the safe one.
  const known = [upstream.models.fresh?.get(model)?.facts, prices.factsOf(provider, model)]
  const others = known.flatMap((facts) => facts?.contextLength ?? [])
  const contextLength =
    factsOf(idOfTarget(target))?.contextLength ?? (others.length > 0 ? Math.max(...others) : undefined)
  return { provider, model, contextLength }
}

/** What the request may use, as far as it says so. */
export interface RequestBound extends Omit<UsageBound, 'outputTokens' | 'contexts'> {
  /** `undefined`: the request sets no limit, and {@link limitOutput} can. */
  readonly outputTokens: number | undefined
  /** The answers that share the output tokens. @default 1 */
  readonly answers?: number
  /** How often the model is called one after the other, each with everything before. @default 1 */
  readonly rounds?: number
  /** Output tokens of each answer beyond the limit. @default 0 */
  readonly addedOutputTokens?: number
  /** The field of content whose size is not known: each round may read the whole context of the model. @default none */
  readonly hidden?: string
  /** The field for which no bound is known. @default none */
  readonly unbounded?: string
  /** Limits the output tokens of each answer. Called before the request is sent. */
  limitOutput?(tokens: number): void
}

/** The output of requests without a limit, where that of their models is not known. */
const DEFAULT_OUTPUT = 16_384
/** A request without a limit is refused where less than that many tokens are affordable. */
const LEAST_OUTPUT = 256

/** A request for which money is reserved. */
export interface PricedRequest {
  readonly model: string
  readonly targets: readonly ModelTarget[]
  /** Input and output together, for limits of tokens. */
  readonly tokens: number
  /** `undefined`: what the request costs is known only after it. */
  readonly bound: RequestBound | undefined
}

/**
 * Returns what a request may use at most. One without a limit of its output gets that of its models, or where that is not
 * affordable, half of what is left: others may run at the same time.
 *
 * @param left where money has refused the request before
 * @returns `undefined` where the request cannot use less
 */
export function mostUseOf(
  request: PricedRequest,
  costs: CostBounds,
  left: Nanodollars | undefined,
): Result<MostUse, BudgetError> | undefined {
  const { targets, tokens, bound, model } = request
  if (!bound) return left === undefined ? err({ type: 'cost-unbounded' }) : undefined
  const { outputTokens, answers = 1, addedOutputTokens = 0, unbounded, hidden = unbounded } = bound
  if (unbounded !== undefined) return err({ type: 'cost-unbounded', param: unbounded })
  const costFor = (limit: number) => costs.mostOf(targets, useIn(bound, limit + addedOutputTokens * answers))
  const refused = (reason: NoBound): Result<never, BudgetError> =>
    err(
      reason === 'unknown'
        ? { type: 'model-not-priced', model, ...unpricedOf(targets, costs) }
        : { type: 'cost-unbounded', param: reason === 'context-unknown' && hidden !== undefined ? hidden : 'model' },
    )
  if (outputTokens !== undefined) {
    if (left !== undefined) return undefined
    const cost = costFor(outputTokens)
    return typeof cost === 'string' ? refused(cost) : ok({ tokens, cost })
  }
  const most = (costs.mostOutputTokens(targets) ?? DEFAULT_OUTPUT) * answers
  const [none, whole] = [costFor(0), costFor(most)]
  if (typeof none === 'string') return refused(none)
  if (typeof whole === 'string') return refused(whole)
  const affordable = left === undefined ? most : affordableOutput({ none, whole, most }, left)
  const each = Math.floor(affordable / answers)
  if (each < Math.min(LEAST_OUTPUT, most)) return undefined
  const cost = costFor(each * answers)
  if (typeof cost === 'string') return refused(cost)
  bound.limitOutput?.(each)
  return ok({ tokens, cost })
}

/** Names the first model without a price. */
function unpricedOf(targets: readonly ModelTarget[], costs: CostBounds): { readonly target?: string } {
  const unpriced = targets.find((target) => costs.mostOf([target], nothing) === 'unknown')
  return unpriced ? { target: idOfTarget(unpriced) } : {}
}

const nothing: UsageBound = { inputTokens: 0, outputTokens: 0 }

/** Each round may read all that was written before it, or everything that fits the context where its content is not known. */
function useIn({ rounds = 1, hidden, readImages = 0, ...bound }: RequestBound, outputTokens: number): UsageBound {
  const all = { ...bound, readImages: readImages * rounds, outputTokens: outputTokens * rounds }
  if (hidden !== undefined) return { ...all, inputTokens: 0, contexts: rounds }
  return { ...all, inputTokens: bound.inputTokens * rounds + (outputTokens * rounds * (rounds - 1)) / 2 }
}

/** Cost grows with the output. */
function affordableOutput(
  { none, whole, most }: { readonly none: number; readonly whole: number; readonly most: number },
  left: Nanodollars,
): number {
  const forOutput = left - none
  const needed = whole - none
  if (needed <= 0) return forOutput >= 0 ? most : 0
  const all = Math.floor((most * Math.max(0, forOutput)) / needed)
  const half = Math.floor(all / 2)
  return Math.min(most, half >= LEAST_OUTPUT ? half : all)
}
