import type { ResponseId, ResponseOwner, ResponseStatus, StoredResponse } from './stored-response.ts'

/**
 * Stores responses. A method rejects when the store has failed. Each method is one atomic step, except that
 * `removeExpired` is atomic only for each batch. Values are passed as copies.
 */
export interface ResponseRepository {
  /**
   * Stores a response, and removes the oldest ones of the owner that are beyond the limits, but not this one.
   *
   * @returns `id-taken` where a response with this id exists. Then nothing is stored.
   */
  save(response: StoredResponse, outputIds: readonly string[], limits: OwnerLimits): Promise<'saved' | 'id-taken'>
  /** @param owner `undefined` for any owner @returns `undefined` for an absent or expired response */
  find(id: ResponseId, owner: ResponseOwner | undefined, now: Date): Promise<StoredResponse | undefined>
  /** Finds the newest response of the owner whose output has an item with this id. */
  findByOutput(itemId: string, owner: ResponseOwner, now: Date): Promise<StoredResponse | undefined>
  /** @param owner `undefined` for any owner @returns whether it existed and had not expired */
  remove(id: ResponseId, owner: ResponseOwner | undefined, now: Date): Promise<boolean>
  /** Postpones the end of the lease of a response that still runs. @returns whether it still runs */
  renewLease(id: ResponseId, leaseUntil: Date): Promise<boolean>
  /**
   * Replaces a response that still runs by its end, so that of several ends the first one counts.
   *
   * @param leaseEndedBy where set, only a response whose lease has ended by then is replaced
   * @returns whether it was replaced
   */
  finish(id: ResponseId, ending: ResponseEnding, leaseEndedBy?: Date): Promise<boolean>
  /** Removes responses that have expired by `now` and not before `since`. @returns the number of responses removed */
  removeExpired(now: Date, since?: Date): Promise<number>
}

/** How a response in the background has ended. */
export interface ResponseEnding {
  readonly status: Exclude<ResponseStatus, 'queued' | 'in_progress'>
  /** The whole response object as JSON text. */
  readonly response: string
  /** The length of `response` and of the stored input in UTF-8. */
  readonly bytes: number
  /** Ids of the output's items. */
  readonly outputIds: readonly string[]
}

/** The most that an owner may store. */
export interface OwnerLimits {
  /** At least 1. */
  readonly maxResponses: number
  /** The sum of `bytes`. */
  readonly maxBytes: number
}
