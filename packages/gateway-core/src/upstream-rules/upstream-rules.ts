import type { Dialect, JsonObject } from '../dialects/dialect.ts'
import type { RetryOptions } from '../providers/retries.ts'
import type { UpstreamTimeouts } from '../providers/upstream-timeouts.ts'

/** How an upstream, or some of its models, are called. */
export interface UpstreamRules {
  /**
   * The models that may be used, as patterns of the upstream's own ids in which `*` stands for any characters. Models that
   * the upstream does not list may be used, too. Only for a whole upstream.
   *
   * @default those that the upstream lists
   */
  readonly models?: readonly string[]
  /**
   * Timeouts of a call of this upstream. `totalSeconds` is that of one attempt at a whole answer, and a request may last
   * as long as the longest of its models. @default `timeouts` of the gateway
   */
  readonly timeouts?: UpstreamTimeouts
  /** How often it is called again. @default `retries` of the gateway */
  readonly retries?: RetryOptions
  /** Fields that requests get where the client did not set them, by the protocol that the upstream speaks. @default none */
  readonly parameters?: UpstreamParameters
  /** Names of clients' headers that it gets. @default `forwardHeaders` of the gateway */
  readonly forwardHeaders?: readonly string[]
  /** The most running requests of this process, from 1 to 1,000,000. @default no limit */
  readonly maxParallelRequests?: number
  /**
   * How long a request waits where no other model can take it: for a running request to end, or until the upstream accepts
   * requests again. From 0 to 600. @default 0: it is refused with 429
   */
  readonly waitSeconds?: number
}

/**
 * Default fields of requests, by protocol. The conversation, the model, tools, and what multiplies answers cannot be set.
 */
export type UpstreamParameters = Readonly<Partial<Record<Dialect, JsonObject>>>

/**
 * Rules by the id of an upstream, or `upstream/model` where `*` in the model stands for any characters. Of several names
 * that match, each field of the longest one counts; limits of running requests count all.
 */
export type UpstreamRulesByName = Readonly<Record<string, UpstreamRules>>
