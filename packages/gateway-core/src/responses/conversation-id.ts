import type { Tagged } from 'type-fest'

/** `conv_` and random characters. */
export type ConversationId = Tagged<string, 'ConversationId'>
