import { err, ok, type Result, ResultAsync } from 'neverthrow'
import type { Caller } from '../caller.ts'
import type { BackgroundResponses } from './background-responses.ts'
import type { EventStream } from './event-replay.ts'
import { type ItemPage, type ItemPageQuery, pageOf } from './item-page.ts'
import { endedResponse, parseItems, parseObject } from './response-object.ts'
import type { ResponseRepository } from './response-repository.ts'
import type { ResponseStateError } from './response-state-error.ts'
import type { ResponseStore } from './response-store.ts'
import { isRunning, type StoredResponse, visibleTo } from './stored-response.ts'
import { wholeEvents } from './whole-events.ts'

type StateError<Type extends ResponseStateError['type']> = Extract<ResponseStateError, { type: Type }>

/** Stored responses. A caller finds its own; the admin finds all by their ids. */
export interface StoredResponses {
  /** Returns the response object as JSON text. */
  find(caller: Caller, id: string): ResultAsync<string, StateError<'response-not-found'>>
  /**
   * Returns the events of a response in the background: in the process that runs it those that it keeps and those to come,
   * elsewhere those of a response that has ended, with its texts in one piece.
   *
   * @param after the number of the last event that the client has got. Then events that are not kept are replaced by the
   *   last one, which has the whole response. @default all events
   */
  stream(
    caller: Caller,
    id: string,
    after?: number,
  ): ResultAsync<
    EventStream,
    StateError<'response-not-found' | 'response-not-streamable' | 'response-events-unavailable'>
  >
  remove(caller: Caller, id: string): ResultAsync<void, StateError<'response-not-found'>>
  /** Returns whether a response runs in the background of this gateway, which alone has its events until it ends. */
  runs(id: string): boolean
  /** Lists the input items of the turn, without those of earlier turns. */
  inputItems(caller: Caller, id: string, query: ItemPageQuery): ResultAsync<ItemPage, StateError<'response-not-found'>>
  /** Cancels a response in the background, on any replica. One that has ended is returned as it is. */
  cancel(
    caller: Caller,
    id: string,
  ): ResultAsync<string, StateError<'response-not-found' | 'response-not-in-background'>>
}

export interface StoredResponsesParts {
  /** Absent where nothing is stored. */
  readonly store: ResponseStore | undefined
  readonly repository: Pick<ResponseRepository, 'remove'> | undefined
  readonly now: () => Date
  /** The responses that run in this process. */
  readonly background: Pick<BackgroundResponses, 'abort' | 'events' | 'forget' | 'runs'> | undefined
}

const notFound = (id: string) => err({ type: 'response-not-found' as const, id })

export function createStoredResponses({ store, repository, now, background }: StoredResponsesParts): StoredResponses {
  const find = async (
    caller: Caller,
    id: string,
  ): Promise<Result<StoredResponse, StateError<'response-not-found'>>> => {
    const found = await store?.find(id, visibleTo(caller))
    return found ? ok(found) : notFound(id)
  }

  const stream = async (
    caller: Caller,
    id: string,
    after?: number,
  ): Promise<
    Result<EventStream, StateError<'response-not-found' | 'response-not-streamable' | 'response-events-unavailable'>>
  > => {
    const found = await find(caller, id)
    if (found.isErr()) return err(found.error)
    if (!found.value.background) return err({ type: 'response-not-streamable', id })
    const kept = background?.events(id, after ?? -1)
    if (kept) return ok(kept)
    if (isRunning(found.value)) return err({ type: 'response-events-unavailable', id })
    return ok(wholeEvents(parseObject(found.value.response), after))
  }

  const remove = async (caller: Caller, id: string): Promise<Result<void, StateError<'response-not-found'>>> => {
    const found = await find(caller, id)
    if (found.isErr()) return err(found.error)
    const isRemoved = await repository?.remove(found.value.id, visibleTo(caller), now())
    background?.forget(id)
    return isRemoved === true ? ok(undefined) : notFound(id)
  }

  const cancel = async (
    caller: Caller,
    id: string,
  ): Promise<Result<string, StateError<'response-not-found' | 'response-not-in-background'>>> => {
    const found = await find(caller, id)
    if (found.isErr()) return err(found.error)
    const stored = found.value
    if (!stored.background) return err({ type: 'response-not-in-background', id })
    if (!isRunning(stored)) return ok(stored.response)
    await store?.finish(stored, endedResponse(parseObject(stored.response), 'cancelled'))
    background?.abort(id)
    return (await find(caller, id)).map(({ response }) => response)
  }

  return {
    find: (caller, id) => new ResultAsync(find(caller, id)).map(({ response }) => response),
    stream: (caller, id, after) => new ResultAsync(stream(caller, id, after)),
    remove: (caller, id) => new ResultAsync(remove(caller, id)),
    inputItems: (caller, id, query) =>
      new ResultAsync(find(caller, id)).map(({ input }) => pageOf(parseItems(input), query)),
    runs: (id) => background?.runs(id) ?? false,
    cancel: (caller, id) => new ResultAsync(cancel(caller, id)),
  }
}
