/**
 * A chat request in OpenAI's format, field names included, because most requests are relayed unchanged. Fields that are
 * not listed pass through.
 */
export interface ChatCompletionRequest {
  readonly model: string
  readonly messages: readonly ChatMessage[]
  readonly stream?: boolean | null
  readonly stream_options?: { readonly include_usage?: boolean | null; readonly [field: string]: unknown } | null
  readonly temperature?: number | null
  readonly top_p?: number | null
  readonly n?: number | null
  readonly stop?: string | readonly string[] | null
  readonly max_tokens?: number | null
  readonly max_completion_tokens?: number | null
  readonly presence_penalty?: number | null
  readonly frequency_penalty?: number | null
  readonly logit_bias?: Readonly<Record<string, number>> | null
  readonly logprobs?: boolean | null
  readonly top_logprobs?: number | null
  readonly seed?: number | null
  readonly response_format?: ResponseFormat | null
  readonly tools?: readonly ChatTool[] | null
  readonly tool_choice?: ToolChoice | null
  readonly parallel_tool_calls?: boolean | null
  readonly reasoning_effort?: string | null
  readonly user?: string | null
  readonly metadata?: Readonly<Record<string, string>> | null
  /** Seconds. A field of the gateway, which is not sent upstream. */
  readonly timeout?: number | null
  readonly [field: string]: unknown
}

/** A message of a conversation, in OpenAI's names, validated by the wire schema. */
export type ChatMessage = SystemMessage | UserMessage | AssistantMessage | ToolMessage | FunctionMessage

/** Instructions for the model. */
export interface SystemMessage {
  readonly role: 'system' | 'developer'
  readonly content: string | readonly ContentPart[]
  readonly name?: string | null
}

/** A message of the user, of text, images, audio or files. */
export interface UserMessage {
  readonly role: 'user'
  readonly content: string | readonly ContentPart[]
  readonly name?: string | null
}

/** An earlier answer of the model. It has no content where it only calls tools. */
export interface AssistantMessage {
  readonly role: 'assistant'
  readonly content?: string | readonly ContentPart[] | null
  readonly refusal?: string | null
  readonly name?: string | null
  readonly tool_calls?: readonly ToolCall[] | null
  readonly function_call?: { readonly name: string; readonly arguments: string } | null
}

/** The result of the tool call with the id `tool_call_id`. */
export interface ToolMessage {
  readonly role: 'tool'
  readonly content: string | readonly ContentPart[]
  readonly tool_call_id: string
}

/** The result of a function call in the older form, before tools. */
export interface FunctionMessage {
  readonly role: 'function'
  readonly content: string | null
  readonly name: string
}

/** A part of a message. `data` and `file_data` are base64. `url` may be a `data:` URL. */
export type ContentPart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'refusal'; readonly refusal: string }
  | { readonly type: 'image_url'; readonly image_url: { readonly url: string; readonly detail?: string | null } }
  | { readonly type: 'input_audio'; readonly input_audio: { readonly data: string; readonly format: string } }
  | {
      readonly type: 'file'
      readonly file: { readonly file_data?: string; readonly file_id?: string; readonly filename?: string }
    }

/** A tool call of the model. `arguments` and `input` are text as the model wrote it. */
export type ToolCall =
  | { readonly id: string; readonly type: 'function'; readonly function: FunctionCall }
  | { readonly id: string; readonly type: 'custom'; readonly custom: { readonly name: string; readonly input: string } }

/** A function call of the model. */
export interface FunctionCall {
  readonly name: string
  /** JSON as text, which may be malformed: a model wrote it. */
  readonly arguments: string
}

/** A tool that the model may call. */
export type ChatTool =
  | { readonly type: 'function'; readonly function: FunctionDefinition }
  | { readonly type: 'custom'; readonly custom: { readonly name: string; readonly [field: string]: unknown } }

/** A function that a model may call. `parameters` is a JSON Schema. `strict` makes the upstream enforce it. */
export interface FunctionDefinition {
  readonly name: string
  readonly description?: string | null
  readonly parameters?: Readonly<Record<string, unknown>> | null
  readonly strict?: boolean | null
}

/** Whether the model must call a tool, and which one. */
export type ToolChoice =
  | 'none'
  | 'auto'
  | 'required'
  | { readonly type: 'function'; readonly function: { readonly name: string } }
  | { readonly type: 'custom'; readonly custom: { readonly name: string } }
  | { readonly type: 'allowed_tools'; readonly allowed_tools: Readonly<Record<string, unknown>> }

/** The format of the answer's text. */
export type ResponseFormat =
  | { readonly type: 'text' }
  | { readonly type: 'json_object' }
  | {
      readonly type: 'json_schema'
      readonly json_schema: {
        readonly name: string
        readonly description?: string | null
        readonly schema?: Readonly<Record<string, unknown>> | null
        readonly strict?: boolean | null
      }
    }
