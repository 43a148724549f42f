import { type Attributes, context, propagation, SpanKind, SpanStatusCode, type Tracer, trace } from '@opentelemetry/api'
import type { UsageRecord } from '../usage/usage-record.ts'

/** The span of one request. */
export interface RequestSpan {
  /** The trace context for the upstream call. */
  readonly headers: Readonly<Record<string, string>>
  end(record: UsageRecord, answer: SpanAnswer): void
}

export interface SpanAnswer {
  readonly errorType?: string
  readonly responseId?: string
  readonly responseModel?: string
  readonly finishReasons?: readonly string[]
}

/** Returns the name of an operation in OpenTelemetry's conventions. */
export const operationName = (operation: UsageRecord['operation']): string => names[operation] ?? operation

const names: Partial<Record<UsageRecord['operation'], string>> = {
  image: 'generate_content',
  embedding: 'embeddings',
  completion: 'text_completion',
}

const untraced: RequestSpan = { headers: {}, end: () => undefined }

/** Returns a tracer for the SDK of the host, which may be registered later. */
export const requestTracer = (): Tracer => trace.getTracer('@trivium/gateway-core')

/** Starts a span by the conventions for generative AI. Without an SDK it does nothing. */
export function startRequestSpan(tracer: Tracer, operation: string, model: string): RequestSpan {
  const span = tracer.startSpan(`${operation} ${model}`, { kind: SpanKind.CLIENT })
  if (!span.isRecording()) return untraced
  const headers: Record<string, string> = {}
  propagation.inject(trace.setSpan(context.active(), span), headers)
  return {
    headers,
    end(record, { errorType, responseId, responseModel, finishReasons }) {
      const attributes: Attributes = {
        'gen_ai.operation.name': operation,
        'gen_ai.request.model': model,
        'gen_ai.usage.input_tokens': record.inputTokens,
        'gen_ai.usage.output_tokens': record.outputTokens,
      }
      if (record.provider !== undefined) attributes['gen_ai.provider.name'] = record.provider
      if (responseId !== undefined) attributes['gen_ai.response.id'] = responseId
      if (responseModel !== undefined) attributes['gen_ai.response.model'] = responseModel
      if (finishReasons?.length) attributes['gen_ai.response.finish_reasons'] = [...finishReasons]
      span.setAttributes(attributes)
      if (errorType !== undefined) {
        span.setAttribute('error.type', errorType)
        span.setStatus({ code: SpanStatusCode.ERROR })
      }
      span.end()
    },
  }
}
