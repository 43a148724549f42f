/** What a key, a team or a user may do. A request must be allowed by all three. */
export interface Policy {
  /**
   * Patterns of models that may be used, by the id that a request names or by `provider/model`. One without a slash matches
   * the model of any provider. `*` stands for any characters. An empty list allows none. @default all
   */
  readonly models?: readonly string[]
  /**
   * Patterns of models that are never called, not even by a route that is allowed. One matches the id that a request names,
   * `provider/model`, or what follows any slash of it. @default none
   */
  readonly deniedModels?: readonly string[]
  /** The ids of the operations that may be used, such as `createChatCompletion`. An empty list allows none. @default all */
  readonly endpoints?: readonly string[]
  /** Addresses and networks that requests may come from, such as `10.0.0.0/8`. An empty list allows none. @default all */
  readonly ipRanges?: readonly string[]
  /** Whether every request is refused. @default false */
  readonly disabled?: boolean
}

/** Labels of a key, a team or a user. */
export interface Labels {
  /** Recorded with each request, for reports. At most 20 of 1 to 64 characters. @default none */
  readonly tags?: readonly string[]
  /** At most 16 texts of up to 512 characters, by names of up to 64. @default none */
  readonly metadata?: Readonly<Record<string, string>>
}
