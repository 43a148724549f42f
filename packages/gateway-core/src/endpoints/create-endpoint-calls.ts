import { err, ok, type Result, ResultAsync } from 'neverthrow'
import type { GatewayCall } from '../caller.ts'
import type { ModelCall, ModelCallRequest } from '../models/model-call.ts'
import type { ModelCalls } from '../models/model-calls.ts'
import type { Models } from '../models/models.ts'
import type { EndpointProvider, ProviderEndpointRequest } from '../providers/provider.ts'
import type { Upstream } from '../providers/upstream.ts'
import type { Endpoint } from './endpoint.ts'
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
import { openEndpointStream } from './open-endpoint-stream.ts'
import { providerFor } from './provider-for.ts'
import { wholeAnswer } from './whole-answer.ts'

export interface EndpointCallsParts {
  readonly calls: ModelCalls
  readonly models: Models
  readonly upstreams: ReadonlyMap<string, Upstream>
  readonly firstByteSeconds: number
  readonly idleSeconds: number
  readonly keepAliveSeconds: number
  readonly maxEventBytes: number
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
    return calls.open<EndpointProvider>(call, {
      ...target.value,
      kind,
      operation,
      purpose,
      serviceOf: ({ endpoints: service }) => (service?.supports(request.endpoint) ? service : undefined),
      streamed,
      estimateTokens: () => estimateInput() + outputTokens,
      ...(outputTokens > 0 && { outputParam: 'max_tokens' }),
      estimateInput,
      timeoutSeconds,
      ...(isRepeatable ? { isRepeatable } : {}),
    })
  }

  const whole = async (
    modelCall: ModelCall<EndpointProvider>,
    request: EndpointRequest,
  ): Promise<Result<EndpointReply, EndpointError>> => {
    const answered = await modelCall.send(async (service, model, context) =>
      wholeAnswer(await service.send(upstreamRequest(request, model, service), context)),
    )
    if (answered.isErr()) return err(answered.error)
    const { answer, provider } = answered.value
    modelCall.settle({ status: 200, ...wholeResult(request, answer.bytes) })
    return ok({ provider, ...answer, headers: answer.headers ?? {} })
  }

  const stream = async (
    modelCall: ModelCall<EndpointProvider>,
    request: EndpointRequest,
  ): Promise<Result<EndpointReply, EndpointError>> => {
    const answered = await modelCall.send(
      async (service, model, context, abort) =>
        openEndpointStream(modelCall, request, await service.send(upstreamRequest(request, model, service), context), {
          ...parts,
          abort,
        }),
      request.isUpload ? undefined : firstByteSeconds * 1000,
    )
    if (answered.isErr()) return err(answered.error)
    const { answer, provider } = answered.value
    if (answer.kind === 'whole') modelCall.settle({ status: 200, ...wholeResult(request, answer.bytes) })
    return ok({ provider, ...answer })
  }

  const send = async (call: GatewayCall, request: EndpointRequest): Promise<Result<EndpointReply, EndpointError>> => {
    const opened = await open(call, request)
    if (opened.isErr()) return err(opened.error)
    return request.streamed ? stream(opened.value, request) : whole(opened.value, request)
  }

  return { send: (call, request) => new ResultAsync(send(call, request)) }
}

function upstreamRequest(
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
  return { endpoint, method, suffix, model: named, body: body?.(named, { asksStreamUsage }), accept, headers, streamed }
}

const wholeResult = (request: EndpointRequest, bytes: Uint8Array) => ({
  ...wholeUsage(request, bytes),
  images: imagesIn(request.endpoint, bytes),
})

/** Returns the usage of a whole answer, estimated where the upstream reports none. */
const wholeUsage = ({ estimateInput }: EndpointRequest, bytes: Uint8Array) =>
  usageIn(bytes) ?? { inputTokens: estimateInput?.() ?? 0, estimated: estimateInput !== undefined }
