import { err, ok, type Result } from 'neverthrow'
import type { GatewayCall } from '../caller.ts'
import type { JsonObject } from '../dialects/dialect.ts'
import type { Responses as StatelessResponses } from '../dialects/responses/responses.ts'
import type { ModelCallError } from '../models/model-call-error.ts'
import { errorBodyOf } from '../providers/error-body.ts'
import { type Answered, type BackgroundAnswer, followStream } from './background-answer.ts'
import type { EventReplay, EventStream } from './event-replay.ts'
import type { EventReplays } from './event-replays.ts'
import { extendConversation, type KeepingParts, stated } from './keep-response.ts'
import type { PreparedResponse } from './prepare-response.ts'
import { inputItems, randomId } from './response-items.ts'
import { endedResponse, parseObject, queuedResponse } from './response-object.ts'
import type { ResponseRepository } from './response-repository.ts'
import type { ResponseContextError } from './response-state-error.ts'
import type { ResponseStore } from './response-store.ts'
import { isRunning, type ResponseId, type ResponseOwner, responseOwnerOf } from './stored-response.ts'
import { lastEvent } from './whole-events.ts'

export interface BackgroundParts extends KeepingParts {
  readonly store: ResponseStore
  readonly responses: Pick<ResponseRepository, 'renewLease'>
  readonly answering: StatelessResponses
  /** Calls `listener` when a request with this id is admitted. @returns the end of the subscription */
  readonly onAdmitted: (requestId: string, listener: () => void) => () => void
  readonly onFault: (error: unknown) => void
  readonly replays: EventReplays
}

/** Responses that run in this process without their clients. */
export interface BackgroundResponses {
  /**
   * Resolves once the request is admitted and stored. With `stream` in its body, its events can be read.
   *
   * @returns the response as it waits
   */
  start(call: GatewayCall, prepared: PreparedResponse): Started
  /** Returns the events after a number, or `undefined` where this process does not keep them. */
  events(id: string, after: number): EventStream | undefined
  /** Ends a response without storing its end. */
  abort(id: string): void
  /** Ends a response, and drops its events. */
  forget(id: string): void
  /** Returns whether a response runs in this process. */
  runs(id: string): boolean
  /** Resolves once none runs. */
  idle(): Promise<void>
  /** Ends all of them, and stores that they have failed. */
  close(): Promise<void>
}

type Started = Promise<Result<JsonObject, ModelCallError | ResponseContextError>>

/** How long a response is taken to run after its process was last seen. */
const LEASE_MS = 30_000
/** How often the lease is renewed, and a cancellation by another replica is noticed. */
const RENEWAL_MS = 2_000

interface Running {
  readonly id: ResponseId
  readonly owner: ResponseOwner
  readonly controller: AbortController
  readonly prepared: PreparedResponse
  /** As it waits. */
  readonly queued: JsonObject
  /** Absent for one that is not streamed. */
  readonly replay: EventReplay | undefined
  ended: Promise<void>
}

export function createBackgroundResponses(parts: BackgroundParts): BackgroundResponses {
  const { store, responses, answering, bounds, now, onAdmitted, onFault, replays } = parts
  const running = new Map<string, Running>()
  let isClosing = false
  let onIdle: (() => void)[] = []

  const leaseEnd = () => new Date(now().getTime() + LEASE_MS)

  /** Returns the limit that another response of this owner would exceed. */
  const exceededBy = (owner: ResponseOwner): number | undefined => {
    if (isClosing) return 0
    if (running.size >= bounds.maxBackground) return bounds.maxBackground
    const own = [...running.values()].filter((other) => other.owner === owner).length
    return own >= bounds.maxBackgroundPerOwner ? bounds.maxBackgroundPerOwner : undefined
  }

  /** Resolves with the answer, or earlier, with `undefined`, once the request is admitted. */
  const admission = async (call: GatewayCall, answered: PromiseLike<Answered>): Promise<Answered | undefined> => {
    let end = () => {}
    const admitted = new Promise<undefined>((resolve) => {
      end = onAdmitted(call.requestId, () => resolve(undefined))
    })
    try {
      return await Promise.race([answered, admitted])
    } finally {
      end()
    }
  }

  const settle = async (entry: Running, answered: Answered | undefined) => {
    const { id, owner, prepared, replay } = entry
    const stored = await store.find(id, owner)
    if (!stored) return
    const response = endOf(answered, entry, isClosing)
    if (await store.finish(stored, response)) await extendConversation(parts, prepared, response)
    const ended = replay && (await store.find(id, owner))
    if (ended && !isRunning(ended)) replay.add(lastEvent(parseObject(ended.response)))
  }

  /** Waits for the answer, and stores it. */
  const follow = async (entry: Running, answer: PromiseLike<Answered>): Promise<void> => {
    const renew = () => {
      responses.renewLease(entry.id, leaseEnd()).then((runs) => runs || entry.controller.abort(), onFault)
    }
    const timer = setInterval(renew, RENEWAL_MS)
    const fail = (error: unknown): undefined => onFault(error) as undefined // reports only
    try {
      await settle(entry, await Promise.resolve(answer).catch(fail))
    } catch (error) {
      onFault(error)
    } finally {
      clearInterval(timer)
      remove(entry.id)
      replays.end(entry.id)
    }
  }

  const remove = (id: string) => {
    running.delete(id)
    if (running.size > 0) return
    for (const resolve of onIdle) resolve()
    onIdle = []
  }

  const save = async (entry: Running): Promise<boolean> => {
    const { previousId, conversationId } = entry.prepared.context
    const saved = await store.save({
      owner: entry.owner,
      // Saved after the admission, when the upstream is called.
      response: { ...entry.queued, status: 'in_progress' },
      input: inputItems(entry.prepared.input),
      ...(previousId !== undefined && { previousId }),
      ...(conversationId !== undefined && { conversationId }),
      leaseUntil: leaseEnd(),
    })
    return saved === 'saved'
  }

  const answerOf = async (call: GatewayCall, { prepared, replay, controller }: Running): Promise<Answered> => {
    const { request } = prepared
    if (!replay) return (await answering.complete(call, request)).map(({ answer }) => ({ response: answer.value }))
    const streamed = await answering.stream(call, request)
    if (streamed.isErr()) return err(streamed.error)
    return ok(await followStream(streamed.value, replay, controller.signal, (response) => stated(response, prepared)))
  }

  const run = async (call: GatewayCall, entry: Running): Started => {
    const { requestId, caller, isAdmitted = false } = call
    const own: GatewayCall = { requestId, caller, isAdmitted, signal: entry.controller.signal }
    const answer = new Promise<Answered>((resolve, reject) => {
      // Subscribed first, because an admission may be immediate.
      queueMicrotask(() => answerOf(own, entry).then(resolve, reject))
    })
    const first = await admission(own, answer)
    if (own.rate) call.rate = own.rate
    if (first?.isErr()) return err(first.error)
    if (!(await save(entry))) return err({ type: 'context-too-long', param: 'input' })
    entry.ended = follow(entry, answer)
    return ok(entry.queued)
  }

  const openEntry = (owner: ResponseOwner, prepared: PreparedResponse): Running => {
    const { requested = prepared.request.body } = prepared.request
    const id = prepared.id ?? (randomId('resp') as ResponseId) // as ids of changed requests are created
    const queued = stated(queuedResponse(id, requested, now()), prepared)
    const replay = requested.stream === true ? replays.open(id) : undefined
    for (const type of ['response.created', 'response.queued']) replay?.add({ type, fields: { response: queued } })
    return { id, owner, controller: new AbortController(), prepared, queued, replay, ended: Promise.resolve() }
  }

  const start = async (call: GatewayCall, prepared: PreparedResponse): Started => {
    const owner = responseOwnerOf(call.caller)
    const limit = exceededBy(owner)
    if (limit !== undefined) return err({ type: 'background-exhausted', limit })
    const entry = openEntry(owner, prepared)
    const { id } = entry
    running.set(id, entry)
    let isStarted = false
    try {
      const started = await run(call, entry)
      isStarted = started.isOk()
      return started
    } finally {
      if (!isStarted) {
        entry.controller.abort()
        remove(id)
        replays.drop(id)
      }
    }
  }

  return {
    start,
    events: replays.after,
    abort: (id) => running.get(id)?.controller.abort(),
    forget(id) {
      running.get(id)?.controller.abort()
      replays.drop(id)
    },
    runs: (id) => running.has(id),
    idle: () => (running.size === 0 ? Promise.resolve() : new Promise((resolve) => onIdle.push(resolve))),
    async close() {
      isClosing = true
      const entries = [...running.values()]
      for (const { controller } of entries) controller.abort()
      await Promise.all(entries.map(({ ended }) => ended))
      replays.close()
    },
  }
}

/** Returns the response with which a run ends. `answered` is absent after a fault. */
function endOf(answered: Answered | undefined, { queued, prepared }: Running, isClosing: boolean): JsonObject {
  const answer: BackgroundAnswer | undefined = answered?.isOk() ? answered.value : undefined
  if (answer && 'response' in answer) return stated(answer.response, prepared)
  if (isClosing)
    return endedResponse(queued, 'failed', failure('The gateway was closed while this response was running.'))
  if (answer) return endedResponse(queued, 'failed', answer.error)
  const { message = FAULT, code = null } = answered?.isErr() ? errorOf(answered.error) : {}
  return endedResponse(queued, 'failed', { code: code ?? 'server_error', message })
}

const FAULT = 'The gateway had an error while running this response.'

const failure = (message: string) => ({ code: 'server_error', message })

const errorOf = (error: ModelCallError): { readonly code?: string | null; readonly message?: string } =>
  error.type === 'upstream-failed' ? errorBodyOf(error.error) : {}
