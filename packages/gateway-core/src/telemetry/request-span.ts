import {
  type Attributes,
  context,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  type TracerProvider,
  trace,
} from '@opentelemetry/api'
import type { ProviderServer } from '../providers/provider.ts'
import type { UsageRecord } from '../usage/usage-record.ts'
import {
  type AttemptSpan,
  type SpanAnswer,
  type SpanTracer,
  startAttemptSpan,
  untracedAttempt,
} from './attempt-span.ts'
import { type RequestFields, requestAttributes } from './genai-attributes.ts'

/** The span of one request, with a span of each attempt at an upstream. */
export interface RequestSpan {
  /** Starts the span of an attempt. */
  attempt(by: SpanProvider, model: string | undefined): AttemptSpan
  end(record: UsageRecord, answer: SpanAnswer): void
}

/** Who is called: a provider or a search engine. */
export interface SpanProvider {
  readonly id: string
  readonly server?: ProviderServer
}

/** What a span begins with. */
export interface SpanRequest {
  readonly operation: UsageRecord['operation']
  readonly model: string
  readonly streamed: boolean
  /** The client's body. */
  readonly fields?: RequestFields | undefined
}

/** Returns the name of an operation in OpenTelemetry's conventions. */
export const operationName = (operation: UsageRecord['operation']): string => names[operation] ?? operation

const names: Partial<Record<UsageRecord['operation'], string>> = {
  image: 'generate_content',
  embedding: 'embeddings',
  completion: 'text_completion',
}

const untraced: RequestSpan = { attempt: () => untracedAttempt, end: () => undefined }

/**
 * Returns a tracer for the SDK of the host, which may be registered later. The tracer of an SDK is looked up with each
 * span, since a tracer without one is connected only to an SDK that is registered by the same copy of the API.
 */
export function requestTracer(): SpanTracer {
  let current: { readonly provider: TracerProvider; readonly tracer: Tracer } | undefined
  return {
    startSpan(name, options, parent) {
      const provider = trace.getTracerProvider()
      if (current?.provider !== provider) current = { provider, tracer: provider.getTracer('@trivium/gateway-core') }
      return current.tracer.startSpan(name, options, parent)
    },
  }
}

/**
 * Starts the span of a request by the conventions for generative AI, within the active span of the host. Without an SDK it
 * does nothing.
 */
export function startRequestSpan(tracer: SpanTracer, { operation, model, streamed, fields }: SpanRequest): RequestSpan {
  const name = operationName(operation)
  const span = tracer.startSpan(`${name} ${model}`, { kind: SpanKind.INTERNAL })
  if (!span.isRecording()) return untraced
  const parent = trace.setSpan(context.active(), span)
  const request = { 'gen_ai.operation.name': name, ...requestAttributes(fields, streamed) }
  return {
    attempt: ({ id, server }, upstreamModel) =>
      startAttemptSpan(tracer, parent, {
        name: `${name} ${upstreamModel ?? id}`,
        attributes: {
          ...request,
          'gen_ai.provider.name': server?.name ?? id,
          'trivium.provider': id,
          ...(upstreamModel === undefined ? {} : { 'gen_ai.request.model': upstreamModel }),
          ...(server?.address === undefined ? {} : { 'server.address': server.address }),
          ...(server?.port === undefined ? {} : { 'server.port': server.port }),
        },
      }),
    end(record, { errorType, responseModel }) {
      const attributes: Attributes = { ...request, 'gen_ai.request.model': model, 'trivium.status': record.status }
      if (record.provider !== undefined) attributes['trivium.provider'] = record.provider
      if (responseModel !== undefined) attributes['gen_ai.response.model'] = responseModel
      if (record.cost !== undefined) attributes['trivium.cost'] = record.cost / 1e9
      if (record.cacheHit) attributes['trivium.cache.hit'] = true
      span.setAttributes(attributes)
      if (errorType !== undefined) {
        span.setAttribute('error.type', errorType)
        span.setStatus({ code: SpanStatusCode.ERROR })
      }
      span.end()
    },
  }
}
