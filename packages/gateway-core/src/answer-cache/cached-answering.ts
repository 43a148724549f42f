import { err, ok, type Result, ResultAsync } from 'neverthrow'
import type { GatewayCall } from '../caller.ts'
import { parseJson } from '../chat/parse-json.ts'
import type { Answering, Completed, Streamed } from '../dialects/answering/answering.ts'
import { asksForCost, withCost } from '../dialects/answering/costed-protocol.ts'
import type { DialectCall, Front } from '../dialects/answering/front.ts'
import { bothObservers } from '../dialects/answering/stream-observer.ts'
import type { JsonObject } from '../dialects/dialect.ts'
import { objectOf } from '../dialects/json-values.ts'
import { jsonLength } from '../dialects/requests/json-length.ts'
import type { ModelCallError } from '../models/model-call-error.ts'
import { NO_DOLLARS } from '../money/dollars.ts'
import { type AnswerLookup, type AnswerLookupParts, createAnswerLookup } from './answer-lookup.ts'
import { type CacheControl, cacheControlOf } from './cache-control.ts'
import { isCacheable } from './cacheable-request.ts'
import type { CachedAnswer } from './cached-answer.ts'
import { collectorOf } from './collectors/stream-collector.ts'
import { ofRequest, withoutRequest } from './echoed-members.ts'
import { eventsOf } from './replays/replayed-events.ts'
import { isStorable } from './storable-answer.ts'

const encoder = new TextEncoder()

/** Makes a service that answers a request again with the answer to an equal one. */
export function cachedAnswering<Whole>(
  front: Front<Whole>,
  service: Answering<Whole>,
  parts: AnswerLookupParts,
): Answering<Whole> {
  const { dialect } = front
  const lookup: AnswerLookup = createAnswerLookup(parts)

  /** `undefined` for a request that passes the cache by. */
  const controlOf = ({ body, raw, requested, headers }: DialectCall): CacheControl | undefined =>
    // A body that was changed continues what is stored.
    requested === undefined && isCacheable(dialect, body, raw) ? cacheControlOf(headers) : undefined

  const isLimited = (body: JsonObject): boolean => front.outputLimit(body) !== undefined

  const find = async (
    call: GatewayCall,
    request: DialectCall,
    control: CacheControl,
  ): Promise<Result<Found<Whole>, ModelCallError>> => {
    const { body, headers } = request
    const model = String(body.model)
    const looked = await lookup.find(call, { operation: dialect, model, kind: 'chat', body, headers, control })
    return looked.map(({ key, answer }) => {
      const whole = answer && wholeOf(answer, request)
      if (answer && !whole) call.cache = { status: 'miss' }
      return { key, whole }
    })
  }

  const keep = (key: string, body: JsonObject, value: JsonObject, by: Pick<Streamed, 'provider' | 'omitted'>) => {
    // Without writing a large one.
    if (jsonLength(value) > parts.maxAnswerBytes) return
    if (!isStorable(dialect, value, isLimited(body)) || front.usageOf(body, value).estimated) return
    const { provider, omitted } = by
    parts.answers.save(key, { provider, omitted, json: JSON.stringify(withoutRequest(dialect, value)) })
  }

  /** The answer for this request; `undefined` for an unreadable one. */
  const wholeOf = (answer: CachedAnswer, request: DialectCall): Completed<Whole> | undefined => {
    const value = objectOf(parseJson(answer.json))
    if (!value || !isStorable(dialect, value, isLimited(request.body))) return undefined
    const own = ofRequest(dialect, value, request.body)
    const json = own === value ? answer.json : JSON.stringify(own)
    const written = front.written(own, encoder.encode(json), {})
    const { provider, omitted } = answer
    return { provider, omitted, answer: front.shown?.(written, request.body) ?? written }
  }

  /** Without the client's own bytes: with duplicate members they could mean another request than the key. */
  const asKeyed = ({ body, headers, answerId, onAnswer, observeStream }: DialectCall): DialectCall => ({
    body,
    ...(headers && { headers }),
    ...(answerId !== undefined && { answerId }),
    ...(onAnswer && { onAnswer }),
    ...(observeStream && { observeStream }),
  })

  const complete = async (
    call: GatewayCall,
    request: DialectCall,
    control: CacheControl,
  ): Promise<Result<Completed<Whole>, ModelCallError>> => {
    const looked = await find(call, request, control)
    if (looked.isErr()) return err(looked.error)
    const { key, whole } = looked.value
    if (whole) {
      lookup.record(call, 'chat', String(request.body.model), false)
      request.onAnswer?.(front.valueOf(whole.answer))
      return ok(whole)
    }
    if (key === undefined) return service.complete(call, request)
    const completed = await service.complete(call, asKeyed(request))
    // What one caller can afford is not the limit of others.
    if (completed.isOk() && !call.isOutputLimited)
      keep(key, request.body, front.valueOf(completed.value.answer), completed.value)
    return completed
  }

  const stream = async (
    call: GatewayCall,
    request: DialectCall,
    control: CacheControl,
  ): Promise<Result<Streamed, ModelCallError>> => {
    const looked = await find(call, request, control)
    if (looked.isErr()) return err(looked.error)
    const { key, whole } = looked.value
    if (whole) {
      const value = front.valueOf(whole.answer)
      const shown = parts.showCost && asksForCost(request.headers) ? withCost(value, NO_DOLLARS) : value
      const events = await eventsOf(dialect, shown, request.body)
      lookup.record(call, 'chat', String(request.body.model), true)
      return ok(replayed(whole, events, () => request.onAnswer?.(value)))
    }
    return key === undefined ? service.stream(call, request) : streamAndKeep(call, request, key)
  }

  const streamAndKeep = async (
    call: GatewayCall,
    request: DialectCall,
    key: string,
  ): Promise<Result<Streamed, ModelCallError>> => {
    const { onAnswer, observeStream, body } = request
    let by: Pick<Streamed, 'provider' | 'omitted'> | undefined
    const collected = (value: JsonObject) => by && keep(key, body, value, by)
    const observed: DialectCall =
      dialect === 'responses'
        ? {
            ...asKeyed(request),
            // Its last event has the whole response.
            onAnswer: (value) => {
              onAnswer?.(value)
              collected(value)
            },
          }
        : {
            ...asKeyed(request),
            observeStream: () =>
              bothObservers(collectorOf(dialect, parts.maxAnswerBytes, collected), observeStream?.()),
          }
    const streamed = await service.stream(call, observed)
    if (streamed.isOk() && !call.isOutputLimited)
      by = { provider: streamed.value.provider, omitted: streamed.value.omitted }
    return streamed
  }

  return {
    complete: (call, request) => {
      const control = controlOf(request)
      return control ? new ResultAsync(complete(call, request, control)) : service.complete(call, request)
    },
    stream: (call, request) => {
      const control = controlOf(request)
      return control ? new ResultAsync(stream(call, request, control)) : service.stream(call, request)
    },
  }
}

/** What the cache has for a request. */
interface Found<Whole> {
  /** `undefined` where the answer must not be stored. */
  readonly key: string | undefined
  readonly whole: Completed<Whole> | undefined
}

/** A stream whose events are all there. */
const replayed = (
  { provider, omitted }: Pick<Streamed, 'provider' | 'omitted'>,
  events: string,
  onEnd: () => void,
): Streamed => ({
  provider,
  omitted,
  headers: {},
  attach(sink) {
    sink.write(events)
    onEnd()
    sink.end()
    return { resume: () => undefined, close: () => undefined }
  },
  cancel: () => undefined,
})
