import { MAX_NANODOLLARS, type Nanodollars } from '../money/dollars.ts'
import { type ImageForm, imageRate, type Rates, type TokenRates } from './rates.ts'

/** What one request has used. Parts of the tokens are included in their totals. */
export interface PricedUsage {
  readonly inputTokens: number
  readonly outputTokens: number
  /** Input from the upstream's cache. @default 0 */
  readonly cachedTokens?: number
  /** Input that was written to the upstream's cache. @default 0 */
  readonly cacheWriteTokens?: number
  /** Input that was written to the upstream's cache for an hour, a part of `cacheWriteTokens`. @default 0 */
  readonly cacheWriteHourTokens?: number
  /** @default 0 */
  readonly reasoningTokens?: number
  /** @default 0 */
  readonly audioInputTokens?: number
  /** Input that is images. @default 0 */
  readonly imageInputTokens?: number
  /** @default 0 */
  readonly audioOutputTokens?: number
  /** Web searches by the upstream. @default 0 */
  readonly searches?: number
  /** @default 0 */
  readonly images?: number
  /** @default that of the upstream */
  readonly imageForm?: ImageForm
  /** Requests that have succeeded, or search units of reranking. @default 1 */
  readonly requests?: number
  /** What the upstream reports. @default the usual one */
  readonly serviceTier?: PricedTier
  /** Seconds of sound that was transcribed, in thousandths. @default 0 */
  readonly audioSeconds?: number
  /** Characters that were spoken. @default 0 */
  readonly characters?: number
}

/** The service tiers that have other prices of tokens. */
export type PricedTier = 'priority' | 'flex'

const MILLION = 1_000_000n
const MINUTE_MS = 60_000n
/** The common denominator of a million tokens and of the milliseconds of a minute. */
const DENOMINATOR = MILLION * MINUTE_MS

/** Adds up exactly, and rounds up to a nanodollar once. */
export function costAt(rates: Rates, usage: PricedUsage): Nanodollars {
  const { images = 0, requests = 1, searches = 0, audioSeconds = 0, characters = 0 } = usage
  const { long } = rates
  const atUsual = tokensAt(long && usage.inputTokens > long.above ? long : rates, usage)
  const tokens = usage.serviceTier ? times(atUsual, rates[usage.serviceTier]) : atUsual
  const units =
    imageRate(rates, usage.imageForm ?? {}) * BigInt(images) +
    rates.request * BigInt(requests) +
    rates.search * BigInt(searches) +
    rates.character * BigInt(characters)
  const sound = rates.audioMinute === 0n ? 0n : rates.audioMinute * BigInt(Math.round(audioSeconds * 1000))
  return roundedUp(tokens * MINUTE_MS + units * DENOMINATOR + sound * MILLION)
}

/** Returns nanodollars times a million. */
function tokensAt(rates: TokenRates, usage: PricedUsage): bigint {
  const { inputTokens, outputTokens } = usage
  // Images with a price of their own have it also where they were in the cache.
  const seen = rates.inputImage === undefined ? 0 : Math.min(usage.imageInputTokens ?? 0, inputTokens)
  const cached = Math.min(usage.cachedTokens ?? 0, inputTokens - seen)
  const written = Math.min(usage.cacheWriteTokens ?? 0, inputTokens - seen - cached)
  const forHour = Math.min(usage.cacheWriteHourTokens ?? 0, written)
  // Sound in the cache counts as both, and has the price of the cache.
  const heard = Math.min(usage.audioInputTokens ?? 0, inputTokens - seen - cached - written)
  const reasoning = Math.min(usage.reasoningTokens ?? 0, outputTokens)
  const spoken = Math.min(usage.audioOutputTokens ?? 0, outputTokens - reasoning)
  return (
    rates.input * BigInt(inputTokens - seen - cached - written - heard) +
    (rates.inputImage ?? 0n) * BigInt(seen) +
    rates.cachedInput * BigInt(cached) +
    rates.cacheWrite * BigInt(written - forHour) +
    rates.cacheWriteHour * BigInt(forHour) +
    rates.inputAudio * BigInt(heard) +
    rates.output * BigInt(outputTokens - reasoning - spoken) +
    rates.reasoning * BigInt(reasoning) +
    rates.outputAudio * BigInt(spoken)
  )
}

/** The most that a request can use. */
export interface UsageBound {
  readonly inputTokens: number
  readonly outputTokens: number
  /** How often the model may read its whole context, beside `inputTokens`. @default 0 */
  readonly contexts?: number
  /** The least tokens of a context, where the client chooses a longer one. @default 0 */
  readonly leastContext?: number
  /** Images that the model reads. @default 0 */
  readonly readImages?: number
  /** Images of the answer. @default 0 */
  readonly images?: number
  /** @default that of the upstream */
  readonly imageForm?: ImageForm
  /** @default 1 */
  readonly requests?: number
  /** @default 0 */
  readonly searches?: number
  /** Characters that are spoken. @default 0 */
  readonly characters?: number
  /** Whether input may be written to the upstream's cache for an hour. @default false */
  readonly hasLongCache?: boolean
  /** Whether the client requests the service tier `priority`. @default false */
  readonly hasPriority?: boolean
}

/** What a bound depends on beside prices. */
export interface ModelSize {
  /** The tokens of its context. Needed only for `contexts`. */
  readonly contextLength: number
  /** The most tokens of an image that it reads. */
  readonly imageTokens: number
}

/** Returns the most that a request within a bound can cost, with each token at its dearest rate. */
export function mostAt(rates: Rates, bound: UsageBound, { contextLength, imageTokens }: ModelSize): Nanodollars {
  const { outputTokens, contexts = 0, readImages = 0, images = 0, searches = 0, characters = 0, requests = 1 } = bound
  const context = Math.max(contextLength, bound.leastContext ?? 0)
  const inputTokens = Math.ceil(bound.inputTokens + contexts * context + readImages * imageTokens)
  const all = rates.long && inputTokens > rates.long.above ? [rates, rates.long] : [rates]
  const input = dearest(all.flatMap((some) => inputRates(some, bound.hasLongCache === true)))
  const output = dearest(all.flatMap((some) => [some.output, some.reasoning, some.outputAudio]))
  const usual = input * BigInt(inputTokens) + output * BigInt(Math.ceil(outputTokens))
  const tokens = bound.hasPriority && rates.priority > MILLION ? times(usual, rates.priority) : usual
  const units =
    imageRate(rates, bound.imageForm ?? {}) * BigInt(images) +
    rates.request * BigInt(requests) +
    rates.search * BigInt(searches) +
    rates.character * BigInt(characters)
  return roundedUp(tokens * MINUTE_MS + units * DENOMINATOR)
}

const inputRates = (rates: TokenRates, hasLongCache: boolean): readonly bigint[] => [
  rates.input,
  rates.cachedInput,
  rates.cacheWrite,
  hasLongCache ? rates.cacheWriteHour : 0n,
  rates.inputAudio,
  rates.inputImage ?? 0n,
]

/** @param factor in millionths */
const times = (amount: bigint, factor: bigint): bigint => (amount * factor + MILLION - 1n) / MILLION

const dearest = (rates: readonly bigint[]): bigint => rates.reduce((most, rate) => (rate > most ? rate : most), 0n)

function roundedUp(amount: bigint): Nanodollars {
  const whole = (amount + DENOMINATOR - 1n) / DENOMINATOR
  return whole > BigInt(MAX_NANODOLLARS) ? MAX_NANODOLLARS : (Number(whole) as Nanodollars) // a whole number
}
