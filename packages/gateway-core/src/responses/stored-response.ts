import type { Tagged } from 'type-fest'
import type { Caller } from '../caller.ts'
import type { ConversationId } from './conversation-id.ts'

/** `resp_` and random characters, or the id that an upstream gave. At most 128 characters. */
export type ResponseId = Tagged<string, 'ResponseId'>

/** Whose responses and conversations these are: `key:` or `user:` and an id, `admin`, or `anonymous`. At most 133 characters. */
export type ResponseOwner = Tagged<string, 'ResponseOwner'>

/** OpenAI's words. */
export type ResponseStatus = 'queued' | 'in_progress' | 'completed' | 'incomplete' | 'failed' | 'cancelled'

/** A response that is kept after it was answered, or while it runs in the background. */
export interface StoredResponse {
  readonly id: ResponseId
  readonly owner: ResponseOwner
  readonly createdAt: Date
  /** It is not found from this time on. */
  readonly expiresAt: Date
  readonly status: ResponseStatus
  /** The response object as JSON text. */
  readonly response: string
  /** The input items of this turn as the JSON text of a list. Each has an id. */
  readonly input: string
  /** The length of `response` and `input` in UTF-8. */
  readonly bytes: number
  readonly previousId?: ResponseId
  readonly conversationId?: ConversationId
  readonly background: boolean
  /** Until when the process that runs it is taken to be alive. Only while it is queued or in progress. */
  readonly leaseUntil?: Date
}

/** Returns whether a response can still change. */
export const isRunning = ({ status }: Pick<StoredResponse, 'status'>): boolean =>
  status === 'queued' || status === 'in_progress'

/** Returns the owner of what a caller stores. All requests of the admin have one owner, and so have those of open rules. */
export function responseOwnerOf(caller: Caller): ResponseOwner {
  switch (caller.type) {
    case 'key':
      return `key:${caller.key.id}` as ResponseOwner // the only place that creates owners
    case 'user':
      return `user:${caller.id}` as ResponseOwner // as above
    default:
      return caller.type as string as ResponseOwner // as above
  }
}

/** Returns whose responses a caller may read. `undefined`: all. */
export const visibleTo = (caller: Caller): ResponseOwner | undefined =>
  caller.type === 'admin' ? undefined : responseOwnerOf(caller)
