import { err, ok, type Result, ResultAsync } from 'neverthrow'
import type { GatewayCall } from '../caller.ts'
import { isObject } from '../chat/is-object.ts'
import { parseJson } from '../chat/parse-json.ts'
import type { JsonObject } from '../dialects/dialect.ts'
import { listOr } from '../dialects/json-values.ts'
import { encodeInTurns } from '../dialects/requests/encode-in-turns.ts'
import type { Endpoint } from '../endpoints/endpoint.ts'
import type { EndpointCalls, EndpointError, EndpointReply, EndpointRequest } from '../endpoints/endpoint-calls.ts'
import { endpoints } from '../endpoints/endpoint-descriptions.ts'
import { jsonBody } from '../endpoints/json-body.ts'
import { isDeepJson } from '../nesting.ts'
import { blockedCompletion } from './blocked-answer.ts'
import type { GuardedRequests } from './guarded-requests.ts'
import { RequestGuard, type RequestGuardParts } from './request-guard.ts'
import { chatTexts } from './streams/chat-texts.ts'
import { GuardedSink } from './streams/guarded-sink.ts'
import { guardedValue } from './texts/guarded-value.ts'
import { withoutLogprobs } from './texts/without-logprobs.ts'

/** Endpoints whose requests are JSON with texts. */
const readable: ReadonlySet<Endpoint> = new Set([
  'embeddings',
  'completions',
  'speech',
  'image-generations',
  'rerank',
] as const)

const encoder = new TextEncoder()
const decoder = new TextDecoder()

/** Makes calls of endpoints whose requests are checked, and whose text completions are, too. */
export function guardedEndpoints(
  service: EndpointCalls,
  requests: GuardedRequests,
  parts: RequestGuardParts,
  refusesUnread: boolean,
): EndpointCalls {
  const guardsOutput = parts.guardrails.some(({ on }) => on.includes('output'))

  const guardedInput = async (
    call: GatewayCall,
    request: EndpointRequest,
  ): Promise<Result<EndpointRequest, EndpointError>> => {
    const { endpoint, body, model, streamed = false } = request
    if (!body || endpoint === 'moderations') return ok(request)
    const { operation, kind } = endpoints[endpoint]
    const refused = { operation, streamed, ...(model !== undefined && { model }) }
    const unread = () =>
      refusesUnread ? err(requests.refused(call, refused, { type: 'guardrail-unchecked' })) : ok(request)
    if (!readable.has(endpoint)) return unread()
    const base = body(model, { asksStreamUsage: false }).value
    if (!base || hasTokens(base)) return unread()
    const guarded =
      model === undefined || !kind
        ? (await requests.texts(call, '', base)).mapErr((error) => requests.refused(call, refused, error))
        : await requests.value(call, { operation, kind, model, streamed }, base)
    if (guarded.isErr()) return err(guarded.error)
    const value = guarded.value
    // With duplicate members, the client's own bytes could mean another request.
    const raw = await encodeInTurns(value)
    return ok({
      ...request,
      ...(request.value && { value: { ...value, ...ownMembers(request.value, base) } }),
      ...(request.texts && { texts: membersOf(value, request.texts) }),
      body: (upstreamModel, target) =>
        jsonBody({ value, raw }, ownMembers(body(upstreamModel, target).value ?? {}, base))(),
    })
  }

  const guardedReply = async (
    call: GatewayCall,
    { model = '' }: EndpointRequest,
    reply: EndpointReply,
  ): Promise<EndpointReply> => {
    const guard = new RequestGuard(parts, call, 'output', model)
    const { content } = call
    if (reply.kind === 'whole') {
      const text = decoder.decode(reply.bytes)
      const value = parseJson(text)
      const shown = isObject(value) && !isDeepJson(text, value) ? withoutLogprobs(value) : {}
      const checked = await guardedValue(guard, shown)
      if (checked.isErr()) call.content?.stoppedBy(checked.error)
      return { ...reply, bytes: encoder.encode(JSON.stringify(checked.unwrapOr(blockedCompletion(shown)))) }
    }
    return {
      ...reply,
      attach(outer) {
        let cancel = (): void => reply.cancel()
        const sink = new GuardedSink({
          guard,
          texts: chatTexts(),
          sink: outer,
          observer: undefined,
          onAnswer: undefined,
          onBlocked: (error) => content?.stoppedBy(error),
          cancel: () => cancel(),
          onFault: parts.onFault,
        })
        const control = reply.attach({
          write: (chunk) => sink.write(chunk),
          end: () => sink.end(),
          destroy: () => outer.destroy(),
        })
        cancel = () => control.close()
        return sink.controlledBy(control)
      },
    }
  }

  const send = async (call: GatewayCall, request: EndpointRequest): Promise<Result<EndpointReply, EndpointError>> => {
    const passed = requests.isGuarding ? await guardedInput(call, request) : ok(request)
    if (passed.isErr()) return err(passed.error)
    const sent = await service.send(call, passed.value)
    if (sent.isErr() || !guardsOutput || request.endpoint !== 'completions') return sent
    return ok(await guardedReply(call, request, sent.value))
  }

  return { send: (call, request) => new ResultAsync(send(call, request)) }
}

/** Returns the members that a value has in addition, or with another value. Those that it lacks are `undefined`. */
function ownMembers(value: JsonObject, base: JsonObject): JsonObject {
  const names = new Set([...Object.keys(value), ...Object.keys(base)])
  return Object.fromEntries([...names].flatMap((name) => (value[name] === base[name] ? [] : [[name, value[name]]])))
}

/** Returns the members that another value has, too. */
const membersOf = (value: JsonObject, named: JsonObject): JsonObject =>
  Object.fromEntries(Object.keys(named).map((name) => [name, value[name]]))

/** Returns whether a text is given as the numbers of its tokens. */
const hasTokens = ({ input, prompt }: JsonObject): boolean =>
  [input, prompt].some((texts) => listOr(texts).some((one) => typeof one === 'number' || Array.isArray(one)))
