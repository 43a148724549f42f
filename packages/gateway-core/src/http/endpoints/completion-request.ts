import type { InferOutput } from 'valibot'
import { mostOutputOf } from '../../dialects/bounds/output-names.ts'
import type { EndpointRequest } from '../../endpoints/endpoint-calls.ts'
import { jsonBody } from '../../endpoints/json-body.ts'
import type { completionRequestSchema } from './completion-schema.ts'
import { estimateInputs, inputsOf, mediaField } from './input-size.ts'

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
  const most = mostOutputOf(body) || DEFAULT_OUTPUT_TOKENS
  let added: number | undefined
  const perPrompt = Math.max(body.best_of ?? 1, body.n ?? 1)
  return {
    endpoint: 'completions',
    model: body.model,
    body: (model, target) =>
      jsonBody(
        { value: body, raw },
        {
          ...(streamed &&
            target.asksStreamUsage &&
            !asksUsage && { stream_options: { ...body.stream_options, include_usage: true } }),
          ...(added !== undefined && { max_tokens: added }),
        },
      )(model, target),
    accept: streamed ? 'text/event-stream' : 'application/json',
    streamed,
    choices,
    stripUsage: !asksUsage,
    estimateInput: () => estimateInputs(body.prompt) + estimateInputs(body.suffix),
    outputTokens: inputsOf(body.prompt ?? '') * perPrompt * most,
    // Some servers write without an end where the request has no limit.
    holdOutput: () => {
      if (typeof body.max_tokens !== 'number') added = most
    },
    unboundedField: () => mediaField(body, ['prompt']),
    value: body,
    endUserIn: body,
    texts: { prompt: body.prompt },
    timeoutSeconds: body.timeout ?? undefined,
  }
}
