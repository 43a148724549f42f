import type { FunctionCall, ToolCall } from './chat-request.ts'

/** OpenAI's chat completion. Fields that a provider adds are sent to the client. */
export interface ChatCompletion {
  readonly id: string
  readonly object: 'chat.completion'
  /** Seconds since 1970. */
  readonly created: number
  readonly model: string
  readonly choices: readonly ChatChoice[]
  /** Absent or `null` where the upstream reports none. The gateway then estimates it for its own records only. */
  readonly usage?: ChatUsage | null
  readonly [field: string]: unknown
}

/** One of the `n` answers. `finish_reason` is `null` where the upstream gave none. */
export interface ChatChoice {
  /** The position among the `n` answers, from 0. */
  readonly index: number
  readonly message: ChatChoiceMessage
  readonly finish_reason: FinishReason | null
  /** The log probabilities of the tokens, in OpenAI's form. Absent or `null` where the request has no `logprobs`. */
  readonly logprobs?: unknown
}

/** A complete message of an answer, in OpenAI's names. Fields that are not listed pass through. */
export interface ChatChoiceMessage {
  readonly role: 'assistant'
  readonly content: string | null
  /** Why the model refuses to answer. Absent or `null` otherwise. */
  readonly refusal?: string | null
  /** Absent where the model calls no tool. */
  readonly tool_calls?: readonly ToolCall[]
  /** The older form of `tool_calls`, for requests with `functions`. */
  readonly function_call?: FunctionCall | null
  readonly [field: string]: unknown
}

/** Why a choice ended, in OpenAI's words. Providers translate their own. */
export type FinishReason = 'stop' | 'length' | 'tool_calls' | 'content_filter' | 'function_call'

/** Token counts, in OpenAI's names and by its rules. */
export interface ChatUsage {
  /** Input tokens, including those that the upstream had cached. */
  readonly prompt_tokens: number
  /** Output tokens of all choices, including reasoning. */
  readonly completion_tokens: number
  /** The sum of the two. */
  readonly total_tokens: number
  /** Parts of `prompt_tokens`, such as `cached_tokens`. */
  readonly prompt_tokens_details?: Readonly<Record<string, number>> | null
  /** Parts of `completion_tokens`, such as `reasoning_tokens`. */
  readonly completion_tokens_details?: Readonly<Record<string, number>> | null
  readonly [field: string]: unknown
}

/** One event of a streamed completion. */
export interface ChatCompletionChunk {
  readonly id: string
  readonly object: 'chat.completion.chunk'
  /** Seconds since 1970, the same in all chunks of a stream. */
  readonly created: number
  readonly model: string
  readonly choices: readonly ChatChunkChoice[]
  /** In the last chunk, which has no choices, where the provider reports it. */
  readonly usage?: ChatUsage | null
  readonly [field: string]: unknown
}

/** One choice's part of a chunk, in OpenAI's names. */
export interface ChatChunkChoice {
  /** The position among the `n` answers, from 0. */
  readonly index: number
  readonly delta: ChatDelta
  /** Set in the last chunk of the choice. */
  readonly finish_reason: FinishReason | null
  /** Those of the tokens in this chunk, in OpenAI's form. */
  readonly logprobs?: unknown
}

/** The addition of a chunk to a message. Fields that are not listed pass through. */
export interface ChatDelta {
  /** Set in the first delta of a choice. */
  readonly role?: 'assistant'
  /** Text to append. */
  readonly content?: string | null
  /** Text to append to the refusal. */
  readonly refusal?: string | null
  /** Calls that begin here, or whose text continues. */
  readonly tool_calls?: readonly ToolCallDelta[]
  readonly [field: string]: unknown
}

/** A part of a tool call. The first one of an `index` has the id, the type and the name. */
export interface ToolCallDelta {
  /** The position of the call in the message, from 0. It identifies the call in later chunks. */
  readonly index: number
  /** Set in the first part. */
  readonly id?: string
  /** Set in the first part. */
  readonly type?: 'function' | 'custom'
  /** `arguments` is text to append. It is JSON only when all parts are joined. */
  readonly function?: { readonly name?: string; readonly arguments?: string }
  /** `input` is text to append. */
  readonly custom?: { readonly name?: string; readonly input?: string }
}
