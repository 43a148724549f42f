import type { ChatCompletionRequest } from '@trivium/gateway-core/ports'

/** Rules that answer. The same request gets the same reply. */
export interface LocalChatModel {
  readonly id: string
  /** `choice`: the number of the answer where several (`n`) are asked for. */
  readonly reply: (request: ChatCompletionRequest, choice: number) => LocalReply
}

export type LocalReply =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'tool-calls'; readonly calls: readonly LocalToolCall[] }

export interface LocalToolCall {
  readonly name: string
  readonly arguments: Readonly<Record<string, unknown>>
}
