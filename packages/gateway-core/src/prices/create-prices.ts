import type { ModelFacts, ModelPricing } from '../models/model-facts.ts'
import type { Nanodollars } from '../money/dollars.ts'
import { type BundledModel, bundledModels, familiesOf } from './bundled-models.ts'
import { costAt, mostAt, type PricedUsage, type UsageBound } from './cost.ts'
import { imageTokensOf } from './image-tokens.ts'
import type { Price, PriceByModel } from './price.ts'
import { type Rates, ratesOf } from './rates.ts'

/** A model as its provider names it. */
export interface PricedModel {
  readonly provider: string
  readonly model: string
  /** The tokens of its context. @default unknown */
  readonly contextLength?: number | undefined
}

/**
 * Why a request has no bound: the price of a model is not known, its context is not known where that is needed, or it
 * reads what it finds itself.
 */
export type NoBound = 'unknown' | 'context-unknown' | 'unbounded'

/** What models cost. Models are named as their upstream names them. */
export interface Prices {
  /** Returns the host's price, or the bundled one. `undefined` where none is known. */
  priceOf(provider: string, model: string): Price | undefined
  /** Returns the cost of a request, rounded up to a nanodollar. `undefined` where no price is known. */
  costOf(provider: string, model: string, usage: PricedUsage): Nanodollars | undefined
  /**
   * Returns the most that a request can cost at the dearest of several models, input at its dearest rate.
   * `unknown` also where the list is empty.
   */
  mostOf(targets: readonly PricedModel[], bound: UsageBound): Nanodollars | NoBound
  /** Returns what 3,000 tokens of input and 1,000 of output cost. `undefined` where no price is known. */
  typicalCostOf(provider: string, model: string): Nanodollars | undefined
  /** Returns the most tokens of an answer, from the bundled table. */
  mostOutputTokens(provider: string, model: string): number | undefined
  /** Returns what is known of a model, for the list of models. Prices of 0 are left out. */
  factsOf(provider: string, model: string): ModelFacts | undefined
}

export interface PricesOptions {
  /** @default none */
  readonly prices?: PriceByModel | undefined
  /** @default true */
  readonly bundledPrices?: boolean | undefined
  /** The ids of all providers, of which prices have to name one. @default any */
  readonly providers?: readonly string[]
}

interface KnownModel {
  readonly price: Price | undefined
  readonly rates: Rates | undefined
  readonly bundled: BundledModel | undefined
}

/** Upstreams accept any name, so what was looked up is forgotten beyond this number. */
const MAX_KNOWN = 1_000

/** Most requests read more than they write. */
const typicalUse = { inputTokens: 3_000, outputTokens: 1_000, requests: 1 }

/**
 * @throws TypeError for a field that does not exist, RangeError for an amount that is out of its bounds, or a name that no
 *   model can have
 */
export function createPrices({ prices = {}, bundledPrices = true, providers }: PricesOptions = {}): Prices {
  if (providers) for (const name of Object.keys(prices)) checkName(name, providers)
  for (const [name, price] of Object.entries(prices)) ratesOf(price, `prices.${name}`)
  const own = longestMatch(prices)
  const known = new Map<string, KnownModel>()

  const lookUp = (provider: string, model: string): KnownModel => {
    const id = `${provider}/${model}`
    const found = known.get(id)
    if (found) return found
    const bundled = bundledPrices ? bundledModel(provider, model) : undefined
    const price = own(id) ?? bundled?.price
    const result = { price, rates: price && ratesOf(price, id), bundled }
    if (known.size >= MAX_KNOWN) known.clear()
    known.set(id, result)
    return result
  }

  return {
    priceOf: (provider, model) => lookUp(provider, model).price,
    costOf(provider, model, usage) {
      const { rates } = lookUp(provider, model)
      return rates && costAt(rates, usage)
    },
    mostOf(targets, bound) {
      let most: Nanodollars | undefined
      for (const { provider, model, contextLength } of targets) {
        const { rates, bundled } = lookUp(provider, model)
        if (!rates) return 'unknown'
        if (bundled?.isOpenEnded) return 'unbounded'
        if (contextLength === undefined && bound.contexts) return 'context-unknown'
        const cost = mostAt(rates, bound, { contextLength: contextLength ?? 0, imageTokens: imageTokensOf(model) })
        if (most === undefined || cost > most) most = cost
      }
      return most ?? 'unknown'
    },
    typicalCostOf(provider, model) {
      const { rates } = lookUp(provider, model)
      return rates && costAt(rates, typicalUse)
    },
    mostOutputTokens: (provider, model) => lookUp(provider, model).bundled?.mostOutputTokens,
    factsOf(provider, model) {
      const { price, bundled } = lookUp(provider, model)
      const pricing = price && pricingOf(price)
      const { contextLength, mostOutputTokens } = bundled ?? {}
      if (!pricing && contextLength === undefined && mostOutputTokens === undefined) return undefined
      return {
        ...(contextLength === undefined ? {} : { contextLength }),
        ...(mostOutputTokens === undefined ? {} : { maxOutputTokens: mostOutputTokens }),
        ...(pricing ? { pricing } : {}),
      }
    },
  }
}

function checkName(name: string, providers: readonly string[]): void {
  const slash = name.indexOf('/')
  const start = name.endsWith('*') ? name.slice(0, -1) : undefined
  const mayMatch =
    slash < 0
      ? start !== undefined && providers.some((id) => id.startsWith(start))
      : slash < name.length - 1 && providers.includes(name.slice(0, slash))
  if (!mayMatch)
    throw new RangeError(
      `'prices.${name}' names no model of a provider. Names are 'provider/model', and may end with '*'. Providers are: ${providers.join(', ')}.`,
    )
}

function bundledModel(provider: string, model: string): BundledModel | undefined {
  const models = bundledModels()
  const own = models.get(`${provider}/${model}`) ?? models.get(`${provider}/*`)
  if (own) return own
  for (const family of familiesOf(model)) {
    const found = models.get(family)
    if (found) return found
  }
  return undefined
}

/** Returns a function that finds the price whose name is, or begins, an id. */
function longestMatch(prices: PriceByModel): (id: string) => Price | undefined {
  const exact = new Map(Object.entries(prices))
  const starts = [...exact.keys()]
    .filter((name) => name.endsWith('*'))
    .map((name) => name.slice(0, -1))
    .sort((one, other) => other.length - one.length)
  return (id) => {
    const start = exact.has(id) ? undefined : starts.find((text) => id.startsWith(text))
    return exact.get(start === undefined ? id : `${start}*`)
  }
}

function pricingOf({ input, output, cachedInput, cacheWrite }: Price): ModelPricing | undefined {
  const pricing: ModelPricing = {
    ...(input === undefined ? {} : { input: Number(input) }),
    ...(output === undefined ? {} : { output: Number(output) }),
    ...(cachedInput === undefined ? {} : { cacheRead: Number(cachedInput) }),
    ...(cacheWrite === undefined ? {} : { cacheWrite: Number(cacheWrite) }),
  }
  return Object.values(pricing).some((amount) => amount > 0) ? pricing : undefined
}
