import { err, ok, type Result, ResultAsync } from 'neverthrow'
import type { GatewayCall } from '../caller.ts'
import type { Drains } from '../chat/streams/drains.ts'
import { ambiguityOf, isGoverned } from '../models/ambiguous-members.ts'
import type { ModelCall, ModelCallRequest } from '../models/model-call.ts'
import type { ModelCalls } from '../models/model-calls.ts'
import type { Models } from '../models/models.ts'
import type { EndpointProvider, Provider, ProviderEndpointRequest } from '../providers/provider.ts'
import type { Upstream } from '../providers/upstream.ts'
import type { RequestResult } from '../usage/request-accounts.ts'
import type { Endpoint } from './endpoint.ts'
import { endpointBound } from './endpoint-bound.ts'
import type {
  EndpointCalls,
  EndpointError,
  EndpointReply,
  EndpointRequest,
  EndpointsOptions,
} from './endpoint-calls.ts'
import { endpoints } from './endpoint-descriptions.ts'
import { usageIn } from './endpoint-usage.ts'
import { imagesIn } from './images-in.ts'
import { estimateOf, formOf, isEvents, openEndpointStream } from './open-endpoint-stream.ts'
import { providerFor } from './provider-for.ts'
import { wholeAnswer } from './whole-answer.ts'

export interface EndpointCallsParts {
  readonly calls: ModelCalls
  readonly models: Models
  readonly upstreams: ReadonlyMap<string, Upstream>
  readonly firstByteSeconds: number
  readonly keepAliveSeconds: number
  readonly maxEventBytes: number
  /** For callers with a limit of money. */
  readonly drains: Drains
}

export function createEndpointCalls(
  { defaultModels = {} }: EndpointsOptions,
  parts: EndpointCallsParts,
): EndpointCalls {
  const { calls, models, upstreams, firstByteSeconds } = parts

  /** Returns the model, or the provider as the only target. */
  const targetOf = async ({
    endpoint,
    model,
    provider,
  }: EndpointRequest): Promise<Result<Pick<ModelCallRequest<unknown>, 'model' | 'targets'>, EndpointError>> => {
    const { kind } = endpoints[endpoint]
    if (!kind) return providerOf(endpoint, provider, model)
    const found = model ?? defaultModels[endpoint] ?? (endpoint === 'moderations' ? await firstModel(kind) : undefined)
    return found === undefined ? err({ type: 'endpoint-model-absent', endpoint }) : ok({ model: found })
  }
  const providerOf = async (endpoint: Endpoint, provider: string | undefined, model: string | undefined) => {
    if (provider !== undefined || model === undefined) return providerFor(upstreams, endpoint, provider)
    const targets = await models.resolve(model, 'chat')
    if (targets.isErr() && targets.error.type === 'model-not-found') return err(targets.error)
    const [first] = targets.unwrapOr([])
    return providerFor(upstreams, endpoint, first?.upstream.provider.id ?? model.split('/')[0])
  }
  const firstModel = async (kind: NonNullable<Parameters<Models['list']>[0]>) => (await models.list(kind))[0]?.id

  const open = async (call: GatewayCall, request: EndpointRequest) => {
    const target = await targetOf(request)
    if (target.isErr()) return err(target.error)
    const { kind = 'chat', operation, purpose } = endpoints[request.endpoint]
    const { estimateInput = () => 0, outputTokens = 0, streamed = false, isRepeatable, timeoutSeconds } = request
    const ambiguous = request.value && ambiguityOf(call.caller, request.value, ownLimits[request.endpoint])
    if (ambiguous) return err(ambiguous)
    return calls.open<EndpointProvider>(call, {
      ...target.value,
      kind,
      operation,
      purpose,
      serviceOf: ({ upstream }) => supporting(upstream.provider, request.endpoint),
      streamed,
      estimateTokens: () => estimateInput() + outputTokens,
      ...endpointBound(request),
      ...(outputTokens > 0 && { outputParam: 'max_tokens' }),
      estimateInput,
      timeoutSeconds,
      endUserIn: request.endUserIn,
      ...(isRepeatable ? { isRepeatable } : {}),
    })
  }

  const whole = async (
    call: GatewayCall,
    modelCall: ModelCall<EndpointProvider>,
    request: EndpointRequest,
  ): Promise<Result<EndpointReply, EndpointError>> => {
    const answered = await modelCall.send(async (service, model, context) => {
      const answer = await service.send(upstreamRequest(call, request, model, service), context)
      modelCall.heed(answer.headers)
      return wholeAnswer(answer)
    })
    if (answered.isErr()) return err(answered.error)
    const { answer, provider } = answered.value
    settleWhole(call, modelCall, request, answer.bytes)
    return ok({ provider, ...answer, headers: answer.headers ?? {} })
  }

  const stream = async (
    call: GatewayCall,
    modelCall: ModelCall<EndpointProvider>,
    request: EndpointRequest,
  ): Promise<Result<EndpointReply, EndpointError>> => {
    const answered = await modelCall.send(
      async (service, model, context, abort) => {
        const answer = await service.send(upstreamRequest(call, request, model, service), context)
        modelCall.heed(answer.headers)
        return openEndpointStream(modelCall, request, answer, { ...parts, abort })
      },
      request.isUpload ? {} : { firstByteMs: firstByteSeconds * 1000 },
    )
    if (answered.isErr()) return err(answered.error)
    const { answer, provider } = answered.value
    if (answer.kind === 'whole') settleWhole(call, modelCall, request, answer.bytes)
    else if (isSpoken(request, answer.contentType)) {
      const cost = modelCall.shownCost({ status: 200, ...estimateOf(request) })
      if (cost !== undefined) call.cost = cost
    }
    return ok({ provider, ...answer })
  }

  const send = async (call: GatewayCall, request: EndpointRequest): Promise<Result<EndpointReply, EndpointError>> => {
    const opened = await open(call, request)
    if (opened.isErr()) return err(opened.error)
    return request.streamed ? stream(call, opened.value, request) : whole(call, opened.value, request)
  }

  return { send: (call, request) => new ResultAsync(send(call, request)) }
}

const supporting = ({ endpoints: service }: Provider, endpoint: Endpoint): EndpointProvider | undefined =>
  service?.supports(endpoint) ? service : undefined

/** The members of requests that decide how much is written. */
const ownLimits: Readonly<Partial<Record<Endpoint, readonly string[]>>> = {
  completions: ['max_tokens', 'n', 'best_of'],
  'image-generations': ['n'],
  'image-edits': ['n'],
}

function upstreamRequest(
  { caller }: GatewayCall,
  {
    endpoint,
    method = 'POST',
    suffix = '',
    body,
    accept = 'application/json',
    headers = {},
    streamed = false,
  }: EndpointRequest,
  model: string,
  { asksStreamUsage = true }: EndpointProvider,
): ProviderEndpointRequest {
  const named = endpoints[endpoint].kind ? model : undefined
  const content = body?.(named, { asksStreamUsage, isUnambiguous: isGoverned(caller) })
  return { endpoint, method, suffix, model: named, body: content, accept, headers, streamed }
}

function settleWhole(
  call: GatewayCall,
  modelCall: ModelCall<EndpointProvider>,
  request: EndpointRequest,
  bytes: Uint8Array,
): void {
  const cost = modelCall.settle({
    status: 200,
    ...wholeUsage(request, bytes),
    images: imagesIn(request.endpoint, bytes),
    ...formOf(request),
  })
  if (cost !== undefined) call.cost = cost
}

/** Returns the usage of a whole answer, estimated where the upstream reports none. */
function wholeUsage(request: EndpointRequest, bytes: Uint8Array): Partial<RequestResult> {
  const usage = usageIn(bytes)
  return usage && 'inputTokens' in usage ? usage : { ...estimateOf(request), ...usage }
}

/** Sound that is relayed as bytes reports no usage, so its cost is known from the request. */
const isSpoken = ({ characters }: EndpointRequest, contentType: string): boolean =>
  characters !== undefined && !isEvents(contentType)
