import type { FunctionCall, ToolCall } from './chat-request.ts'

/** OpenAI's chat completion. Fields that a provider adds are sent to the client. */
export interface ChatCompletion {
  readonly id: string
  readonly object: 'chat.completion'
  /** Seconds since 1970. */
  readonly created: number
  readonly model: string
  readonly choices: readonly ChatChoice[]
  readonly usage?: ChatUsage | null
  readonly [field: string]: unknown
}

/** One of the `n` answers. `finish_reason` is `null` where the upstream gave none. */
export interface ChatChoice {
  readonly index: number
  readonly message: ChatChoiceMessage
  readonly finish_reason: FinishReason | null
  readonly logprobs?: unknown
}

/** A complete message of an answer, in OpenAI's names. Fields that are not listed pass through. */
export interface ChatChoiceMessage {
  readonly role: 'assistant'
  readonly content: string | null
  readonly refusal?: string | null
  readonly tool_calls?: readonly ToolCall[]
  readonly function_call?: FunctionCall | null
  readonly [field: string]: unknown
}

/** Why a choice ended, in OpenAI's words. Providers translate their own. */
export type FinishReason = 'stop' | 'length' | 'tool_calls' | 'content_filter' | 'function_call'

/** Token counts, in OpenAI's names and by its rules. */
export interface ChatUsage {
  readonly prompt_tokens: number
  readonly completion_tokens: number
  readonly total_tokens: number
  readonly prompt_tokens_details?: Readonly<Record<string, number>> | null
  readonly completion_tokens_details?: Readonly<Record<string, number>> | null
  readonly [field: string]: unknown
}

/** One event of a streamed completion. */
export interface ChatCompletionChunk {
  readonly id: string
  readonly object: 'chat.completion.chunk'
  readonly created: number
  readonly model: string
  readonly choices: readonly ChatChunkChoice[]
  /** In the last chunk, which has no choices, where the provider reports it. */
  readonly usage?: ChatUsage | null
  readonly [field: string]: unknown
}

/** One choice's part of a chunk, in OpenAI's names. */
export interface ChatChunkChoice {
  readonly index: number
  readonly delta: ChatDelta
  /** Set in the last chunk of the choice. */
  readonly finish_reason: FinishReason | null
  readonly logprobs?: unknown
}

/** The addition of a chunk to a message. Fields that are not listed pass through. */
export interface ChatDelta {
  readonly role?: 'assistant'
  readonly content?: string | null
  readonly refusal?: string | null
  readonly tool_calls?: readonly ToolCallDelta[]
  readonly [field: string]: unknown
}

/** The first delta of an `index` has the id, the type and the name. Later ones append to the arguments. */
export interface ToolCallDelta {
  readonly index: number
  readonly id?: string
  readonly type?: 'function' | 'custom'
  readonly function?: { readonly name?: string; readonly arguments?: string }
  readonly custom?: { readonly name?: string; readonly input?: string }
}
