import type { InferOutput } from 'valibot'
import type { EndpointRequest } from '../../endpoints/endpoint-calls.ts'
import { jsonBody } from '../../endpoints/json-body.ts'
import type { completionRequestSchema } from './completion-schema.ts'
import { estimateInputs, inputsOf } from './input-size.ts'

/** The most tokens of a completion without `max_tokens`, as OpenAI's interface documents them. */
const DEFAULT_OUTPUT_TOKENS = 16

/** Returns the request of a text completion. Its stream always reports its usage, which is removed for others. */
export function completionRequest(
  body: InferOutput<typeof completionRequestSchema>,
  raw: Uint8Array | undefined,
): EndpointRequest {
  const streamed = body.stream === true
  const asksUsage = body.stream_options?.include_usage === true
  const choices = inputsOf(body.prompt ?? '') * (body.n ?? 1)
  const perPrompt = Math.max(body.best_of ?? 1, body.n ?? 1)
  return {
    endpoint: 'completions',
    model: body.model,
    body: (model, { asksStreamUsage }) =>
      jsonBody(
        { value: body, raw },
        streamed && asksStreamUsage && !asksUsage
          ? { stream_options: { ...body.stream_options, include_usage: true } }
          : {},
      )(model),
    accept: streamed ? 'text/event-stream' : 'application/json',
    streamed,
    choices,
    stripUsage: !asksUsage,
    estimateInput: () => estimateInputs(body.prompt),
    outputTokens: inputsOf(body.prompt ?? '') * perPrompt * (body.max_tokens ?? DEFAULT_OUTPUT_TOKENS),
    timeoutSeconds: body.timeout ?? undefined,
  }
}
