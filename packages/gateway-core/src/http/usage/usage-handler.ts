import type { ApiKeyId } from '../../api-keys/api-key.ts'
import type { UsageSummary } from '../../usage/usage-repository.ts'
import { answerHeaders } from '../access/answer-headers.ts'
import { failure } from '../errors/failure.ts'
import { type GatewayHandlers, type HandlerParts, refuseCall } from '../handler-parts.ts'

const DEFAULT_SPAN_MS = 30 * 86_400_000

export const usageHandler = ({ gateway, now }: HandlerParts): GatewayHandlers<'getUsage'> => ({
  async getUsage(call) {
    const { query, caller } = call
    const to = query.to ?? now()
    const from = query.from ?? new Date(to.getTime() - DEFAULT_SPAN_MS)
    if (from >= to)
      return failure(400, "Invalid 'from': must be before 'to'.", { param: 'from', code: 'invalid_value' })
    if (caller.type === 'key' && query.key_id !== undefined && query.key_id !== caller.key.id) {
      return failure(403, 'API keys can read only their own usage.', { param: 'key_id', code: 'admin_required' })
    }
    const admitted = await gateway.limits.admit(call)
    if (admitted.isErr()) return refuseCall(admitted.error, call, now())
    const summaries = await gateway.usage.summarize(caller, {
      from,
      to,
      groupBy: query.group_by,
      limit: query.limit + 1,
      ...(query.key_id === undefined ? {} : { keyId: query.key_id as ApiKeyId }), // an unknown id selects no records
    })
    return {
      status: 200,
      headers: answerHeaders(call, now()),
      body: {
        object: 'list',
        from: from.toISOString(),
        to: to.toISOString(),
        data: summaries.slice(0, query.limit).map((summary) => toWire(summary, query.group_by.includes('key'))),
        has_more: summaries.length > query.limit,
      },
    }
  },
})

/** @param byKey whether `key_id` is set, with `null` for requests without a key */
const toWire = ({ keyId, model, day, ...counts }: UsageSummary, byKey: boolean) => ({
  ...(byKey ? { key_id: keyId ?? null } : {}),
  ...(model === undefined ? {} : { model }),
  ...(day === undefined ? {} : { day }),
  requests: counts.requests,
  failures: counts.failures,
  partial: counts.partial,
  input_tokens: counts.inputTokens,
  output_tokens: counts.outputTokens,
  images: counts.images,
})
