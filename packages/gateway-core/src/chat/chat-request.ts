/**
 * A chat request in OpenAI's format, field names included, because most requests are relayed unchanged. Fields that are
 * not listed pass through. `null` means the same as an absent field, and defaults are those of the upstream unless
 * stated here. The service checks the stated bounds of `model`, `messages` and numbers, the HTTP interface those of all
 * fields.
 */
export interface ChatCompletionRequest {
  /** `provider/model`, an alias, or an upstream's own id that only one upstream has. From 1 to 512 characters. */
  readonly model: string
  /** From 1 to 10,000. */
  readonly messages: readonly ChatMessage[]
  /** Whether the answer is sent as server-sent events. @default false */
  readonly stream?: boolean | null
  /** Allowed only with `stream`. `include_usage` adds a last chunk with the usage. */
  readonly stream_options?: { readonly include_usage?: boolean | null; readonly [field: string]: unknown } | null
  /** From 0 to 2. Greater values make the answer more random. */
  readonly temperature?: number | null
  /** From 0 to 1: the model selects among the most probable tokens that together have this probability. */
  readonly top_p?: number | null
  /** The number of answers, from 1 to 128. @default 1 */
  readonly n?: number | null
  /** One text, or 1 to 1,024 texts, at which the answer ends. OpenAI accepts 4. */
  readonly stop?: string | readonly string[] | null
  /** The older name of `max_completion_tokens`. At least 1. */
  readonly max_tokens?: number | null
  /** The most output tokens of each answer, reasoning included. At least 1. A budget reserves it for each answer. */
  readonly max_completion_tokens?: number | null
  /** From -2 to 2. Positive values make tokens less probable that have occurred. */
  readonly presence_penalty?: number | null
  /** From -2 to 2. Positive values make tokens less probable the more often they have occurred. */
  readonly frequency_penalty?: number | null
  /** Changes of probability by token id, from -100 (never) to 100 (always). At most 10,000. */
  readonly logit_bias?: Readonly<Record<string, number>> | null
  /** Whether the answer contains the log probabilities of its tokens. @default false */
  readonly logprobs?: boolean | null
  /** How many alternatives of each token are listed, from 0 to 20. Allowed only with `logprobs`. */
  readonly top_logprobs?: number | null
  /** A whole number. With the same one, some upstreams repeat their answers. */
  readonly seed?: number | null
  /** Without it, the answer is text. */
  readonly response_format?: ResponseFormat | null
  /** At most 1,024. */
  readonly tools?: readonly ChatTool[] | null
  /** Without it, the model chooses where the request has `tools`. */
  readonly tool_choice?: ToolChoice | null
  /** Whether one answer may call several tools. */
  readonly parallel_tool_calls?: boolean | null
  /** Such as `low`, `medium` or `high`. The upstream decides which values it accepts. */
  readonly reasoning_effort?: string | null
  /** The client's own id of its end user. */
  readonly user?: string | null
  /** At most 16 entries, with names of at most 64 and values of at most 512 characters. */
  readonly metadata?: Readonly<Record<string, string>> | null
  /**
   * Seconds for all attempts and the whole answer, a stream included. A whole number from 1 to 3,600. Not sent upstream.
   *
   * @default `totalSeconds` of the gateway
   */
  readonly timeout?: number | null
  readonly [field: string]: unknown
}

/** A message of a conversation, in OpenAI's names, validated by the wire schema. */
export type ChatMessage = SystemMessage | UserMessage | AssistantMessage | ToolMessage | FunctionMessage

/** Instructions for the model. */
export interface SystemMessage {
  readonly role: 'system' | 'developer'
  readonly content: string | readonly ContentPart[]
  /** Distinguishes participants with the same role. */
  readonly name?: string | null
}

/** A message of the user, of text, images, audio or files. */
export interface UserMessage {
  readonly role: 'user'
  readonly content: string | readonly ContentPart[]
  /** Distinguishes participants with the same role. */
  readonly name?: string | null
}

/** An earlier answer of the model. */
export interface AssistantMessage {
  readonly role: 'assistant'
  /** Absent or `null` where the answer only calls tools. */
  readonly content?: string | readonly ContentPart[] | null
  /** Why the model refused to answer. */
  readonly refusal?: string | null
  /** Distinguishes participants with the same role. */
  readonly name?: string | null
  /** At most 1,024. Each one has its result in a later {@link ToolMessage}. */
  readonly tool_calls?: readonly (ToolCall | OtherToolCall)[] | null
  /** The older form of `tool_calls`. Its result is a {@link FunctionMessage}. */
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
  | { readonly type: 'image_url'; readonly image_url: MediaUrl }
  | { readonly type: 'video_url'; readonly video_url: MediaUrl }
  | { readonly type: 'audio_url'; readonly audio_url: MediaUrl }
  | { readonly type: 'document_url'; readonly document_url: MediaUrl }
  | { readonly type: 'input_audio'; readonly input_audio: { readonly data: string; readonly format: string } }
  | {
      readonly type: 'file'
      readonly file: { readonly file_data?: string; readonly file_id?: string; readonly filename?: string }
    }
  | OtherContentPart

/** The address of an image, a video, a sound or a document. Some upstreams accept it as a text. */
export type MediaUrl = string | { readonly url: string; readonly detail?: string | null }

/** A part that only some upstreams have, such as `thinking`. It is relayed unchanged. */
export interface OtherContentPart {
  /** From 1 to 64 characters. */
  readonly type: string
  readonly [field: string]: unknown
}

/** A tool call of the model. `arguments` and `input` are text as the model wrote it. Without a `type` it is a function. */
export type ToolCall =
  | { readonly id: string; readonly type?: 'function'; readonly function: FunctionCall }
  | { readonly id: string; readonly type: 'custom'; readonly custom: { readonly name: string; readonly input: string } }

/** A call of a kind that only some upstreams have. It is relayed unchanged. */
export interface OtherToolCall {
  /** From 1 to 64 characters. */
  readonly type: string
  readonly [field: string]: unknown
}

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
  | ProviderTool

/** A tool that an upstream defines, such as `builtin_function` or `openrouter:web_search`. It is relayed unchanged. */
export interface ProviderTool {
  /** From 1 to 64 characters. */
  readonly type: string
  readonly [field: string]: unknown
}

/** A function that a model may call. */
export interface FunctionDefinition {
  readonly name: string
  /** Read by the model to decide when and how to call the function. */
  readonly description?: string | null
  /** The JSON Schema of the arguments, with at most 1,024 members. Without it, the function has no parameters. */
  readonly parameters?: Readonly<Record<string, unknown>> | null
  /** Whether the upstream enforces the schema. @default false */
  readonly strict?: boolean | null
}

/** Whether the model must call a tool, and which one. `any` is the word of some upstreams for `required`. */
export type ToolChoice =
  | 'none'
  | 'auto'
  | 'required'
  | 'any'
  | { readonly type: 'function'; readonly function: { readonly name: string } }
  | { readonly type: 'custom'; readonly custom: { readonly name: string } }
  | { readonly type: 'allowed_tools'; readonly allowed_tools: Readonly<Record<string, unknown>> }
  | { readonly type: string; readonly [field: string]: unknown }

/** The format of the answer's text. Other types, such as `grammar` and `structural_tag`, are those of some upstreams. */
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
  | { readonly type: string; readonly [field: string]: unknown }
