import {
  type Attributes,
  type Context,
  propagation,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api'
import type { UsageDetail } from '../usage/usage-detail.ts'

/** What spans are started with. */
export type SpanTracer = Pick<Tracer, 'startSpan'>

/** The span of one attempt at an upstream. Its first end counts. */
export interface AttemptSpan {
  /** The trace context for the upstream call. */
  readonly headers: Readonly<Record<string, string>>
  /** Marks the first event of a stream. */
  firstChunk(): void
  /** Ends it with an answer, also one that was cut. */
  end(answer: AttemptAnswer): void
}

/** What is known of an answer besides its counts. */
export interface SpanAnswer {
  readonly errorType?: string
  readonly responseId?: string
  readonly responseModel?: string
  readonly finishReasons?: readonly string[]
}

/** What an attempt has given and used. */
export interface AttemptAnswer extends SpanAnswer, UsageDetail {
  readonly inputTokens?: number
  readonly outputTokens?: number
}

/** For requests without an SDK. */
export const untracedAttempt: AttemptSpan = { headers: {}, firstChunk: () => undefined, end: () => undefined }

/** Starts the span of an attempt by the conventions for generative AI. */
export function startAttemptSpan(
  tracer: SpanTracer,
  parent: Context,
  { name, attributes }: { readonly name: string; readonly attributes: Attributes },
): AttemptSpan {
  const startedAt = performance.now()
  const span = tracer.startSpan(name, { kind: SpanKind.CLIENT, attributes }, parent)
  const headers: Record<string, string> = {}
  propagation.inject(trace.setSpan(parent, span), headers)
  return {
    headers,
    firstChunk: () => span.setAttribute('gen_ai.response.time_to_first_chunk', (performance.now() - startedAt) / 1000),
    end(answer) {
      span.setAttributes(answerAttributes(answer))
      if (answer.errorType !== undefined) {
        span.setAttribute('error.type', answer.errorType)
        span.setStatus({ code: SpanStatusCode.ERROR })
      }
      span.end()
    },
  }
}

const counts: readonly (readonly [keyof UsageDetail, string])[] = [
  ['cachedTokens', 'gen_ai.usage.cache_read.input_tokens'],
  ['cacheWriteTokens', 'gen_ai.usage.cache_creation.input_tokens'],
  ['reasoningTokens', 'gen_ai.usage.reasoning.output_tokens'],
  ['audioInputTokens', 'gen_ai.usage.audio.input_tokens'],
  ['audioOutputTokens', 'gen_ai.usage.audio.output_tokens'],
]

function answerAttributes(answer: AttemptAnswer): Attributes {
  const { inputTokens, outputTokens, responseId, responseModel, finishReasons } = answer
  const attributes: Attributes = {}
  if (inputTokens !== undefined) attributes['gen_ai.usage.input_tokens'] = inputTokens
  if (outputTokens !== undefined) attributes['gen_ai.usage.output_tokens'] = outputTokens
  for (const [name, attribute] of counts) {
    const count = answer[name]
    if (count) attributes[attribute] = count
  }
  if (responseId !== undefined) attributes['gen_ai.response.id'] = responseId
  if (responseModel !== undefined) attributes['gen_ai.response.model'] = responseModel
  if (finishReasons?.length) attributes['gen_ai.response.finish_reasons'] = [...finishReasons]
  return attributes
}
