/** The part of the Messages API (version 2023-06-01) that this package uses. */

export interface MessagesRequest {
  readonly model: string
  readonly max_tokens: number
  readonly messages: readonly Turn[]
  readonly system?: string | readonly TextBlock[]
  readonly stop_sequences?: readonly string[]
  readonly temperature?: number
  readonly top_p?: number
  readonly stream?: boolean
  readonly tools?: readonly Tool[]
  readonly tool_choice?: ToolChoice
  readonly metadata?: { readonly user_id: string }
  readonly output_config?: { readonly effort?: string; readonly format?: unknown }
  readonly thinking?: unknown
  readonly service_tier?: 'auto' | 'standard_only'
}

export interface Turn {
  readonly role: 'user' | 'assistant'
  readonly content: string | readonly ContentBlock[]
}

export type ContentBlock =
  | TextBlock
  | MediaBlock
  | ThinkingBlock
  | ToolUseBlock
  | ToolResultBlock
  | { readonly type: 'redacted_thinking'; readonly data: string }

interface Cacheable {
  readonly cache_control?: unknown
}

export interface TextBlock extends Cacheable {
  readonly type: 'text'
  readonly text: string
}

export interface MediaBlock extends Cacheable {
  readonly type: 'image' | 'document'
  readonly source: MediaSource
  readonly title?: string
}

export type MediaSource =
  | { readonly type: 'base64'; readonly media_type: string; readonly data: string }
  | { readonly type: 'url'; readonly url: string }

interface ThinkingBlock {
  readonly type: 'thinking'
  readonly thinking: string
  readonly signature: string
}

export interface ToolUseBlock {
  readonly type: 'tool_use'
  readonly id: string
  readonly name: string
  readonly input: Readonly<Record<string, unknown>>
}

export interface ToolResultBlock extends Cacheable {
  readonly type: 'tool_result'
  readonly tool_use_id: string
  readonly content?: string | readonly ContentBlock[]
  readonly is_error?: true
}

/** A client tool. A server tool (`type: 'web_search_…'`) is passed on unchanged. */
export interface Tool extends Cacheable {
  readonly name: string
  readonly description?: string
  readonly input_schema?: unknown
  readonly strict?: true
}

export type ToolChoice =
  | { readonly type: 'auto' | 'any'; readonly disable_parallel_tool_use?: true }
  | { readonly type: 'tool'; readonly name: string; readonly disable_parallel_tool_use?: true }
  | { readonly type: 'none' }
