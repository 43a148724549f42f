import type { PricedTier } from '../prices/cost.ts'

/** Parts of the tokens of an answer, which are included in their totals, and its searches. Absent ones are not reported. */
export interface UsageDetail {
  /** Input that the upstream read from its cache. */
  readonly cachedTokens?: number
  /** Input that the upstream wrote to its cache. */
  readonly cacheWriteTokens?: number
  /** Output that is reasoning. */
  readonly reasoningTokens?: number
  /** Input that is sound. */
  readonly audioInputTokens?: number
  /** Output that is sound. */
  readonly audioOutputTokens?: number
  /** Web searches, by the upstream and by the gateway. */
  readonly searches?: number
}

/** Parts of an answer that only its cost depends on, beside those that records keep. */
export interface PricedDetail extends UsageDetail {
  /** Input that the upstream wrote to its cache for an hour, a part of `cacheWriteTokens`. */
  readonly cacheWriteHourTokens?: number
  /** Input that is images. */
  readonly imageInputTokens?: number
  /** The service tier that the upstream reports, where it has other prices. */
  readonly serviceTier?: PricedTier
}

/** The names of the parts. */
const pricedDetails = [
  'cachedTokens',
  'cacheWriteTokens',
  'reasoningTokens',
  'audioInputTokens',
  'audioOutputTokens',
  'searches',
  'cacheWriteHourTokens',
  'imageInputTokens',
] as const satisfies readonly (keyof PricedDetail)[]

/** Adds the details of two answers. The service tier is that of the last one which reports it. */
export function sumOfDetails(one: PricedDetail, other: PricedDetail): PricedDetail {
  const sum: { -readonly [Name in keyof PricedDetail]: PricedDetail[Name] } = {}
  for (const name of pricedDetails) {
    if (one[name] !== undefined || other[name] !== undefined) sum[name] = (one[name] ?? 0) + (other[name] ?? 0)
  }
  const serviceTier = other.serviceTier ?? one.serviceTier
  return serviceTier === undefined ? sum : { ...sum, serviceTier }
}

/** More web searches than an answer has. An upstream that reports more is wrong, and each has a price. */
export const MOST_SEARCHES = 1_000

/** Returns each part, 0 where it is not reported, and no part larger than what it belongs to. */
export function wholeDetail(detail: UsageDetail, inputTokens: number, outputTokens: number): Required<UsageDetail> {
  const { cachedTokens = 0, cacheWriteTokens = 0, reasoningTokens = 0, searches = 0 } = detail
  const { audioInputTokens = 0, audioOutputTokens = 0 } = detail
  return {
    cachedTokens: Math.min(cachedTokens, inputTokens),
    cacheWriteTokens: Math.min(cacheWriteTokens, inputTokens),
    reasoningTokens: Math.min(reasoningTokens, outputTokens),
    audioInputTokens: Math.min(audioInputTokens, inputTokens),
    audioOutputTokens: Math.min(audioOutputTokens, outputTokens),
    searches: Math.min(searches, MOST_SEARCHES),
  }
}
