import { err, ok, type Result } from 'neverthrow'
import type { GatewayCall } from '../caller.ts'
import type { Completed } from '../dialects/answering/answering.ts'
import type { JsonObject } from '../dialects/dialect.ts'
import type { Responses as StatelessResponses } from '../dialects/responses/responses.ts'
import type { ModelCallError } from '../models/model-call-error.ts'
import { errorBodyOf } from '../providers/error-body.ts'
import type { DialectAnswer } from '../providers/provider.ts'
import { extendConversation, type KeepingParts, stateOf } from './keep-response.ts'
import type { PreparedResponse } from './prepare-response.ts'
import { inputItems, randomId } from './response-items.ts'
import { endedResponse, queuedResponse, withState } from './response-object.ts'
import type { ResponseRepository } from './response-repository.ts'
import type { ResponseContextError } from './response-state-error.ts'
import type { ResponseStore } from './response-store.ts'
import { type ResponseId, type ResponseOwner, responseOwnerOf } from './stored-response.ts'

export interface BackgroundParts extends KeepingParts {
  readonly store: ResponseStore
  readonly responses: Pick<ResponseRepository, 'renewLease'>
  readonly answering: StatelessResponses
  /** Calls `listener` when a request with this id is admitted. @returns the end of the subscription */
  readonly onAdmitted: (requestId: string, listener: () => void) => () => void
  readonly onFault: (error: unknown) => void
}

/** Responses that run in this process without their clients. */
export interface BackgroundResponses {
  /** Resolves once the request is admitted and stored. @returns the response as it waits */
  start(call: GatewayCall, prepared: PreparedResponse): Started
  /** Ends a response without storing its end. */
  abort(id: string): void
  /** Ends all of them, and stores that they have failed. */
  close(): Promise<void>
}

type Started = Promise<Result<JsonObject, ModelCallError | ResponseContextError>>

/** How long a response is taken to run after its process was last seen. */
const LEASE_MS = 30_000
/** How often the lease is renewed, and a cancellation by another replica is noticed. */
const RENEWAL_MS = 2_000

type Answered = Result<Completed<DialectAnswer>, ModelCallError>

interface Running {
  readonly id: ResponseId
  readonly owner: ResponseOwner
  readonly controller: AbortController
  readonly prepared: PreparedResponse
  ended: Promise<void>
}

export function createBackgroundResponses(parts: BackgroundParts): BackgroundResponses {
  const { store, responses, answering, bounds, now, onAdmitted, onFault } = parts
  const running = new Map<string, Running>()
  let isClosing = false

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

  const settle = async ({ id, owner, prepared }: Running, queued: JsonObject, answered: Answered | undefined) => {
    const stored = await store.find(id, owner)
    if (!stored) return
    const response = endOf(answered, queued, prepared, isClosing)
    if (await store.finish(stored, response)) await extendConversation(parts, prepared, response)
  }

  /** Waits for the answer, and stores it. */
  const follow = async (entry: Running, queued: JsonObject, answer: PromiseLike<Answered>): Promise<void> => {
    const renew = () => {
      responses.renewLease(entry.id, leaseEnd()).then((runs) => runs || entry.controller.abort(), onFault)
    }
    const timer = setInterval(renew, RENEWAL_MS)
    const fail = (error: unknown): undefined => onFault(error) as undefined // reports only
    try {
      await settle(entry, queued, await Promise.resolve(answer).catch(fail))
    } catch (error) {
      onFault(error)
    } finally {
      clearInterval(timer)
      running.delete(entry.id)
    }
  }

  const save = (entry: Running, queued: JsonObject): Promise<boolean> => {
    const { previousId, conversationId } = entry.prepared.context
    return store.save({
      owner: entry.owner,
      response: queued,
      input: inputItems(entry.prepared.input),
      ...(previousId !== undefined && { previousId }),
      ...(conversationId !== undefined && { conversationId }),
      leaseUntil: leaseEnd(),
    })
  }

  const run = async (call: GatewayCall, entry: Running): Started => {
    const { requested = entry.prepared.request.body } = entry.prepared.request
    const own: GatewayCall = { requestId: call.requestId, caller: call.caller, signal: entry.controller.signal }
    const answer = new Promise<Answered>((resolve, reject) => {
      // Subscribed first, because an admission may be immediate.
      queueMicrotask(() => answering.complete(own, entry.prepared.request).then(resolve, reject))
    })
    const first = await admission(own, answer)
    if (own.rate) call.rate = own.rate
    if (first?.isErr()) return err(first.error)
    const queued = withState(queuedResponse(entry.id, requested, now()), stateOf(entry.prepared, true))
    if (!(await save(entry, queued))) return err({ type: 'context-too-long', param: 'input' })
    entry.ended = follow(entry, queued, answer)
    return ok(queued)
  }

  const start = async (call: GatewayCall, prepared: PreparedResponse): Started => {
    const owner = responseOwnerOf(call.caller)
    const limit = exceededBy(owner)
    if (limit !== undefined) return err({ type: 'background-exhausted', limit })
    const id = randomId('resp') as ResponseId // the only place that creates ids of responses in the background
    const entry = { id, owner, controller: new AbortController(), prepared, ended: Promise.resolve() }
    running.set(id, entry)
    let isStarted = false
    try {
      const started = await run(call, entry)
      isStarted = started.isOk()
      return started
    } finally {
      if (!isStarted) {
        entry.controller.abort()
        running.delete(id)
      }
    }
  }

  return {
    start,
    abort: (id) => running.get(id)?.controller.abort(),
    async close() {
      isClosing = true
      const entries = [...running.values()]
      for (const { controller } of entries) controller.abort()
      await Promise.all(entries.map(({ ended }) => ended))
    },
  }
}

/** Returns the response with which a run ends. `answered` is absent after a fault. */
function endOf(
  answered: Answered | undefined,
  queued: JsonObject,
  prepared: PreparedResponse,
  isClosing: boolean,
): JsonObject {
  if (answered?.isOk()) {
    return withState({ ...answered.value.answer.value, id: queued.id }, stateOf(prepared, true))
  }
  if (isClosing)
    return endedResponse(queued, 'failed', failure('The gateway was closed while this response was running.'))
  const { message = FAULT, code = null } = answered?.isErr() ? errorOf(answered.error) : {}
  return endedResponse(queued, 'failed', { code: code ?? 'server_error', message })
}

const FAULT = 'The gateway had an error while running this response.'

const failure = (message: string) => ({ code: 'server_error', message })

const errorOf = (error: ModelCallError): { readonly code?: string | null; readonly message?: string } =>
  error.type === 'upstream-failed' ? errorBodyOf(error.error) : {}
