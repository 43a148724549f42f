/** A variable of the environment, which holds a secret or an address. */
export interface Variable {
  readonly variable: string
}

/** A text of the output, or the variable that holds it. */
export type Text = string | Variable

/** How the gateway reaches an upstream. */
export interface Connection {
  /** The beginning of the id. */
  readonly provider: string
  readonly kind: 'openai' | 'anthropic' | 'ai-sdk'
  /** The package of the AI SDK. */
  readonly package?: string
  readonly baseUrl?: Text
  readonly apiKey?: Text
  readonly headers?: Readonly<Record<string, Text>>
  /** Settings of the package of the AI SDK. */
  readonly options?: Readonly<Record<string, Text | Readonly<Record<string, Text>>>>
}

/** How one model of an upstream is called. */
export interface ModelRules {
  readonly timeouts?: { readonly totalSeconds?: number; readonly firstByteSeconds?: number }
  readonly retries?: number
  readonly parameters?: Readonly<Partial<Record<'chat' | 'responses' | 'messages', Readonly<Record<string, unknown>>>>>
  readonly maxParallelRequests?: number
}

/** A price by the names of the file, in US dollars for a million tokens. */
export type PriceDraft = Readonly<Record<string, string | Readonly<Record<string, string | number>>>>

export interface UpstreamDraft {
  readonly id: string
  readonly connection: Connection
  /** By the upstream's own ids, and patterns of them. */
  readonly models: Map<string, ModelDraft>
}

export interface ModelDraft {
  readonly rules: ModelRules
  readonly price: PriceDraft
  readonly mode: ModelMode
}

/** What a model is for, where a package of the AI SDK has functions of their own for it. */
export type ModelMode = 'chat' | 'image' | 'embedding' | 'speech' | 'transcription'

export interface RouteDraft {
  readonly targets: readonly TargetDraft[]
  readonly pick?: 'latency' | 'cost'
  readonly fallbacks: readonly FallbackDraft[]
}

export interface TargetDraft {
  readonly model: string
  readonly weight?: number
  readonly priority?: number
}

export interface FallbackDraft {
  readonly model: string
  readonly on: readonly FailureDraft[]
}

export type FailureDraft = 'error' | 'rate_limit' | 'context_length' | 'refusal'
