import type { Dialect, JsonObject } from '../dialect.ts'
import type {
  CacheMark,
  FilePart,
  ForeignPart,
  ImagePart,
  InputPart,
  OutputPart,
  TextPart,
} from './conversation-parts.ts'

/**
 * A request between two dialects. A translation reads the request of one dialect into this form and writes that of another
 * one. It has what at least two dialects can carry. All that only one of them has is in `extra`, in {@link HostedTool} and
 * in {@link ForeignPart}, so that a writer of another dialect can refuse it by its name.
 */
export interface ConversationRequest {
  /** The dialect that it was read from. */
  readonly dialect: Dialect
  readonly stream: boolean
  /** In the order of the client. Those of the system may be anywhere; each writer places them as its dialect requires. */
  readonly turns: readonly Turn[]
  readonly tools: readonly ConversationTool[]
  /** Absent: the model chooses where there are tools. */
  readonly toolChoice?: ConversationToolChoice
  /** Whether one answer may call several tools. */
  readonly parallelToolCalls?: boolean
  /** Absent: text. */
  readonly format?: AnswerFormat
  readonly settings: ConversationSettings
  /**
   * The client's names of the fields above and of `settings`, for errors: `{ maxOutputTokens: 'max_output_tokens' }`. Those
   * of reasoning have both: `{ 'reasoning.budgetTokens': 'thinking.budget_tokens' }`.
   */
  readonly names: Readonly<Record<string, string>>
  /** Fields of the client's dialect without a place above, under the client's names. */
  readonly extra: JsonObject
  /**
   * The names in `extra` that do not change the meaning of the answer, such as `context_management`. Writers of other
   * dialects omit and list them; they refuse the others. @default none
   */
  readonly hints?: readonly string[]
}

/** Numbers and hints of a request. Each is absent where the client set none, or `null`. */
export interface ConversationSettings {
  /** Reasoning included. */
  readonly maxOutputTokens?: number
  /** From 0 to 2. */
  readonly temperature?: number
  readonly topP?: number
  readonly topK?: number
  readonly stop?: readonly string[]
  readonly presencePenalty?: number
  readonly frequencyPenalty?: number
  readonly seed?: number
  /** The number of answers. Only chat completions have more than 1. */
  readonly choices?: number
  readonly logitBias?: Readonly<Record<string, number>>
  /** Alternatives of each token in the answer, from 0. Absent: no log probabilities. */
  readonly logProbabilities?: number
  readonly reasoning?: ReasoningSettings
  /** Such as `low`. */
  readonly verbosity?: string
  /** The client's own id of its end user. */
  readonly user?: string
  readonly safetyIdentifier?: string
  readonly metadata?: Readonly<Record<string, string>>
  /** OpenAI's words; those of Anthropic are translated by its reader and writer. */
  readonly serviceTier?: string
  readonly promptCacheKey?: string
  readonly promptCacheRetention?: string
  /** Whether the upstream may keep the answer. */
  readonly store?: boolean
}

/** How much the model reasons, and what of it the answer has. */
export interface ReasoningSettings {
  /** `none`, `minimal`, `low`, `medium`, `high`, `xhigh` or `max`. */
  readonly effort?: string
  /** The most tokens for reasoning, as in Anthropic's `thinking.budget_tokens`. */
  readonly budgetTokens?: number
  /** Anthropic's `thinking.type` of `adaptive` or `disabled`. */
  readonly mode?: 'adaptive' | 'disabled'
  /** `auto`, `concise` or `detailed`, as in OpenAI's `reasoning.summary`; Anthropic's `display` is translated. */
  readonly summary?: string
  /** Whether the client requests the encrypted reasoning, as `include: ['reasoning.encrypted_content']` does. */
  readonly encrypted?: boolean
}

/** One item of a conversation. `at` is the place in the client's request, for errors: `input[3]`. */
export type Turn =
  | { readonly role: 'system'; readonly content: readonly TextPart[]; readonly at: string; readonly developer?: true }
  | { readonly role: 'user'; readonly content: readonly InputPart[]; readonly at: string; readonly name?: string }
  | {
      readonly role: 'assistant'
      readonly content: readonly OutputPart[]
      readonly at: string
      readonly name?: string
      /** Whether the answer continues this turn, as `prefix` of DeepSeek and Mistral says. */
      readonly prefix?: true
    }
  | ToolResult

/** The result of a tool call. */
export interface ToolResult extends CacheMark {
  readonly role: 'tool'
  readonly callId: string
  /** The kind of its call. */
  readonly kind: 'function' | 'custom'
  readonly content: readonly (TextPart | ImagePart | FilePart | ForeignPart)[]
  readonly isError?: true
  readonly at: string
}

/** A tool that the model may call. */
export type ConversationTool = FunctionTool | CustomTool | WebSearchTool | HostedTool

/** A function. */
export interface FunctionTool extends CacheMark {
  readonly type: 'function'
  readonly name: string
  readonly description?: string
  /** A JSON schema. */
  readonly parameters?: JsonObject
  readonly strict?: boolean
  /** The namespace of a tool that was offered within one. Its calls carry the namespace. */
  readonly namespace?: string
  readonly at: string
}

/** A tool whose input is text. */
export interface CustomTool extends CacheMark {
  readonly type: 'custom'
  readonly name: string
  readonly description?: string
  /** Absent: any text. */
  readonly grammar?: { readonly syntax: string; readonly definition: string }
  readonly namespace?: string
  readonly at: string
}

/** Web search by the upstream, or by the gateway's own engines. */
export interface WebSearchTool {
  readonly type: 'web-search'
  /** The client's name of the tool: `web_search`, `web_search_20250305`. */
  readonly name: string
  readonly maxUses?: number
  readonly allowedDomains?: readonly string[]
  readonly blockedDomains?: readonly string[]
  readonly userLocation?: JsonObject
  /** OpenAI's `low`, `medium` or `high`. */
  readonly contextSize?: string
  readonly at: string
}

/** A tool that only the upstreams of one dialect have. */
export interface HostedTool {
  readonly type: 'hosted'
  /** The client's name of the tool, usually its `type`. */
  readonly name: string
  readonly dialect: Dialect
  /** As the client sent it. */
  readonly value: JsonObject
  readonly at: string
}

/** Whether the model must call a tool, and which one. */
export type ConversationToolChoice =
  | { readonly type: 'none' | 'auto' | 'required' }
  | { readonly type: 'tool'; readonly name: string; readonly kind: 'function' | 'custom' }
  /** Only these tools, by their names. */
  | { readonly type: 'allowed'; readonly required: boolean; readonly names: readonly string[] }
  /** A hosted tool, or another choice that only one dialect has. */
  | { readonly type: 'hosted'; readonly name: string; readonly dialect: Dialect; readonly value: unknown }

/** The format of the answer's text. */
export type AnswerFormat =
  | { readonly type: 'json' }
  | {
      readonly type: 'schema'
      readonly name?: string
      readonly description?: string
      readonly schema: JsonObject
      readonly strict?: boolean
    }
