/** Facts of a model, from its upstream or the host. Absent ones are unknown. */
export interface ModelFacts {
  /** The most tokens of a request and its answer together. @default unknown */
  readonly contextLength?: number
  /** The most tokens of an answer. @default unknown */
  readonly maxOutputTokens?: number
  /** What the model reads and returns. @default unknown */
  readonly modalities?: ModelModalities
  /** In US dollars per million tokens. @default unknown */
  readonly pricing?: ModelPricing
}

/** What a model reads and returns, such as `text`, `image` and `audio`. */
export interface ModelModalities {
  /** What the model reads. @default unknown */
  readonly input?: readonly string[]
  /** What the model returns. @default unknown */
  readonly output?: readonly string[]
}

/** Prices in US dollars per million tokens. Absent ones are unknown. */
export interface ModelPricing {
  /** For input. @default unknown */
  readonly input?: number
  /** For output. @default unknown */
  readonly output?: number
  /** For input that is read from the cache of the upstream. @default unknown */
  readonly cacheRead?: number
  /** For input that is written to the cache of the upstream. @default unknown */
  readonly cacheWrite?: number
}

/** Facts by `provider/model` or alias. A `*` at the end of a name matches any rest. The longest name that matches counts. */
export type FactsByModel = Readonly<Record<string, ModelFacts>>

/** Returns the facts of a model that the host has set. */
export function factsFor(facts: FactsByModel, id: string): ModelFacts | undefined {
  if (Object.hasOwn(facts, id)) return facts[id]
  const [longest] = Object.keys(facts)
    .filter((name) => name.endsWith('*') && id.startsWith(name.slice(0, -1)))
    .sort((one, other) => other.length - one.length)
  return longest === undefined ? undefined : facts[longest]
}
