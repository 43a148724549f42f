/** An amount of US dollars: from 0 to below 9,000,000, with at most 9 decimals. A number below 0.000001 is written as text. */
export type DollarAmount = number | string

/** Prices of tokens, in US dollars for a million. */
export interface TokenPrices {
  /** For input. @default 0 */
  readonly input?: DollarAmount
  /** For output. @default 0 */
  readonly output?: DollarAmount
  /** For input that the upstream reads from its cache. @default `input` */
  readonly cachedInput?: DollarAmount
  /** For input that the upstream writes to its cache. @default `input` */
  readonly cacheWrite?: DollarAmount
  /** For input that the upstream writes to its cache for an hour. @default `cacheWrite` */
  readonly cacheWriteHour?: DollarAmount
  /** For output that is reasoning. @default `output` */
  readonly reasoning?: DollarAmount
  /** For sound that the model reads. @default `input` */
  readonly inputAudio?: DollarAmount
  /** For images that the model reads, where the upstream reports their tokens. @default `input` */
  readonly inputImage?: DollarAmount
  /** For sound that the model writes. @default `output` */
  readonly outputAudio?: DollarAmount
}

/** What a model costs. */
export interface Price extends TokenPrices {
  /** For each image of an answer. @default 0 */
  readonly image?: DollarAmount
  /**
   * For each image of an answer, by `quality`, `size` or `quality/size` of the request, such as `hd/1024x1792`. The most
   * exact one counts.
   *
   * @default `image`
   */
  readonly images?: Readonly<Record<string, DollarAmount>>
  /** For each request that succeeds, and for each search unit of reranking. @default 0 */
  readonly request?: DollarAmount
  /** For each web search by the upstream. @default 0 */
  readonly search?: DollarAmount
  /** For each minute of sound that is transcribed, where the upstream reports seconds. @default 0 */
  readonly audioMinute?: DollarAmount
  /** For each character of a text to be spoken. @default 0 */
  readonly character?: DollarAmount
  /**
   * The factor of all prices of tokens where the upstream reports the service tier `priority`, from 0 to 100. A request for
   * that tier is reserved at it.
   *
   * @default 2.5
   */
  readonly priority?: number
  /** The factor of all prices of tokens where the upstream reports the service tier `flex`, from 0 to 100. @default 1 */
  readonly flex?: number
  /** Prices of all tokens of a request with a long input. @default the same prices for each length */
  readonly long?: LongPrices
}

/** Prices of requests with a long input, for a million tokens. */
export interface LongPrices {
  /** The prices apply to requests with more input tokens than this, at least 1. */
  readonly above: number
  /** For input. @default the price for a short input */
  readonly input?: DollarAmount
  /** For output. @default the price for a short input */
  readonly output?: DollarAmount
  /** For input that the upstream reads from its cache. @default the price for a short input */
  readonly cachedInput?: DollarAmount
  /** For input that the upstream writes to its cache. @default the price for a short input */
  readonly cacheWrite?: DollarAmount
  /** For input that the upstream writes to its cache for an hour. @default the price for a short input */
  readonly cacheWriteHour?: DollarAmount
  /** For output that is reasoning. @default the price for a short input */
  readonly reasoning?: DollarAmount
  /** For sound that the model reads. @default the price for a short input */
  readonly inputAudio?: DollarAmount
  /** For images that the model reads. @default the price for a short input */
  readonly inputImage?: DollarAmount
  /** For sound that the model writes. @default the price for a short input */
  readonly outputAudio?: DollarAmount
}

/** Prices by `provider/model`, the model as the upstream names it. A `*` at the end matches any rest. The longest name that matches counts. */
export type PriceByModel = Readonly<Record<string, Price>>
