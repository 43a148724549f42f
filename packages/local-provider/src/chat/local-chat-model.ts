import type { ChatCompletionRequest } from '@trivium/gateway-core/ports'

/** A model of rules, which give the same reply to the same request. */
export interface LocalChatModel {
  readonly id: string
  /** Returns the reply. `choice` is the index of the answer, from 0, if several (`n`) are requested. */
  readonly reply: (request: ChatCompletionRequest, choice: number) => LocalReply
}

export type LocalReply =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'tool-calls'; readonly calls: readonly LocalToolCall[] }

export interface LocalToolCall {
  readonly name: string
  readonly arguments: Readonly<Record<string, unknown>>
}
