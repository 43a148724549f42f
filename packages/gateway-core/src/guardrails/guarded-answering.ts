import { err, ok, type Result, ResultAsync } from 'neverthrow'
import type { GatewayCall } from '../caller.ts'
import type { Answering, Completed, Streamed } from '../dialects/answering/answering.ts'
import type { DialectCall, Front } from '../dialects/answering/front.ts'
import type { Dialect, JsonObject } from '../dialects/dialect.ts'
import { jsonInTurns } from '../dialects/requests/encode-in-turns.ts'
import type { ModelCallError } from '../models/model-call-error.ts'
import { blockedAnswer } from './blocked-answer.ts'
import type { GuardedRequests } from './guarded-requests.ts'
import { RequestGuard, type RequestGuardParts } from './request-guard.ts'
import { ownMembers } from './response-members.ts'
import { chatTexts } from './streams/chat-texts.ts'
import { GuardedSink, type GuardedSinkParts } from './streams/guarded-sink.ts'
import { messageTexts } from './streams/message-texts.ts'
import { responseTexts } from './streams/response-texts.ts'
import type { StreamTexts } from './streams/stream-texts.ts'
import { guardedValue } from './texts/guarded-value.ts'
import { withoutLogprobs } from './texts/without-logprobs.ts'

const streamTexts: Readonly<Record<Dialect, () => StreamTexts>> = {
  chat: chatTexts,
  messages: messageTexts,
  responses: responseTexts,
}

const encoder = new TextEncoder()

/** Makes a service whose requests and answers are checked. */
export function guardedAnswering<Whole>(
  front: Front<Whole>,
  service: Answering<Whole>,
  requests: GuardedRequests,
  parts: RequestGuardParts,
): Answering<Whole> {
  const { dialect } = front
  const guardsOutput = parts.guardrails.some(({ on }) => on.includes('output'))

  const guardOf = (call: GatewayCall, { body }: DialectCall) =>
    new RequestGuard(parts, call, 'output', String(body.model))

  /** Returns an answer as the client may get it. */
  const guarded = async (call: GatewayCall, request: DialectCall, value: JsonObject): Promise<JsonObject> => {
    const shown = withoutLogprobs(value)
    const texts = dialect === 'responses' ? ownMembers(shown) : shown
    const checked = await guardedValue(guardOf(call, request), texts)
    if (checked.isErr()) {
      call.content?.stoppedBy(checked.error)
      return blockedAnswer(dialect, shown)
    }
    return dialect === 'responses' ? { ...shown, ...checked.value } : checked.value
  }

  const complete = async (
    call: GatewayCall,
    request: DialectCall,
  ): Promise<Result<Completed<Whole>, ModelCallError>> => {
    const passed = await requests.dialect(call, request)
    if (passed.isErr()) return err(passed.error)
    if (!guardsOutput) return service.complete(call, passed.value)
    const { onAnswer, ...own } = passed.value
    const completed = await service.complete(call, own)
    if (completed.isErr()) return err(completed.error)
    const { answer } = completed.value
    const value = front.valueOf(answer)
    const checked = await guarded(call, request, value)
    onAnswer?.(checked)
    if (checked === value) return completed
    const written = front.written(checked, encoder.encode((await jsonInTurns(checked)).text), front.headersOf(answer))
    return ok({ ...completed.value, answer: written })
  }

  const stream = async (call: GatewayCall, request: DialectCall): Promise<Result<Streamed, ModelCallError>> => {
    const passed = await requests.dialect(call, request)
    if (passed.isErr()) return err(passed.error)
    if (!guardsOutput) return service.stream(call, passed.value)
    const { onAnswer, observeStream, ...own } = passed.value
    const streamed = await service.stream(call, own)
    const guard = guardOf(call, request)
    const { content } = call
    return streamed.map((inner) =>
      guardedStream(inner, {
        guard,
        onAnswer,
        observer: observeStream?.(),
        onBlocked: (error) => content?.stoppedBy(error),
      }),
    )
  }

  const guardedStream = (
    inner: Streamed,
    shared: Pick<GuardedSinkParts, 'guard' | 'onAnswer' | 'observer' | 'onBlocked'>,
  ): Streamed => ({
    ...inner,
    attach(outer) {
      let cancel = (): void => inner.cancel()
      const sink = new GuardedSink({
        ...shared,
        texts: streamTexts[dialect](),
        sink: outer,
        cancel: () => cancel(),
        onFault: parts.onFault,
      })
      const control = inner.attach(sink)
      cancel = () => control.close()
      return sink.controlledBy(control)
    },
  })

  return {
    complete: (call, request) => new ResultAsync(complete(call, request)),
    stream: (call, request) => new ResultAsync(stream(call, request)),
  }
}
