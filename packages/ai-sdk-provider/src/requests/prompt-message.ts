/** The parts of the SDK's prompts that a chat request can have, in the format of version 4. */

export type PromptMessage =
  | { role: 'system'; content: string }
  | { role: 'user'; content: (TextPart | FilePart)[] }
  | { role: 'assistant'; content: (TextPart | FilePart | ToolCallPart)[] }
  | { role: 'tool'; content: ToolResultPart[] }

export interface TextPart {
  type: 'text'
  text: string
}

export interface FilePart {
  type: 'file'
  /** `image/*` if only its URL is known. */
  mediaType: string
  filename?: string
  /** Base64 or a URL. */
  data: { type: 'data'; data: string } | { type: 'url'; url: URL }
}

export interface ToolCallPart {
  type: 'tool-call'
  toolCallId: string
  toolName: string
  input: unknown
}

interface ToolResultPart {
  type: 'tool-result'
  toolCallId: string
  toolName: string
  output: ToolOutput
}

export type ToolOutput = { type: 'text'; value: string } | { type: 'content'; value: (TextPart | FilePart)[] }
