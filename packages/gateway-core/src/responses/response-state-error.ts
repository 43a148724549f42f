/** Why the state of responses and conversations cannot be read, used or changed. */
export type ResponseStateError =
  | { readonly type: 'response-not-found'; readonly id: string }
  /** The response was not created with `background`. */
  | { readonly type: 'response-not-in-background'; readonly id: string }
  /** The response was not created with `background`, so it has no events. */
  | { readonly type: 'response-not-streamable'; readonly id: string }
  /** The response still runs, and this process does not keep the events. */
  | { readonly type: 'response-events-unavailable'; readonly id: string }
  | { readonly type: 'conversation-not-found'; readonly id: string }
  | { readonly type: 'conversation-item-not-found'; readonly id: string; readonly conversationId: string }
  /** A conversation would have more items or bytes than it may. */
  | { readonly type: 'conversation-full'; readonly id: string }
  | ResponseContextError

/** Why a request cannot continue what it names. */
export type ResponseContextError =
  | { readonly type: 'previous-response-not-found'; readonly id: string }
  /** The response still runs in the background, has failed, or was cancelled. */
  | { readonly type: 'previous-response-unfinished'; readonly id: string; readonly status: string }
  | { readonly type: 'context-conversation-not-found'; readonly id: string }
  /** The gateway has no store of conversations. `param` is that of a request that names one. */
  | { readonly type: 'conversations-not-stored'; readonly param: 'conversation' | null }
  /** Only one of `previous_response_id` and `conversation` can be used. */
  | { readonly type: 'context-ambiguous' }
  | { readonly type: 'context-too-long'; readonly param: 'previous_response_id' | 'conversation' | 'input' }
  | { readonly type: 'item-not-found'; readonly id: string; readonly param: string }
  /** `background` needs responses that are stored. */
  | { readonly type: 'background-unsupported'; readonly param: 'store' | 'background' }
  /** Too many responses run in the background, of this owner or of all. */
  | { readonly type: 'background-exhausted'; readonly limit: number }
