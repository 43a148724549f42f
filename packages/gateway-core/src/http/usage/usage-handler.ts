import { accountIdOf } from '../../accounts/account-id.ts'
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
    if (
      caller.type !== 'admin' &&
      query.key_id !== undefined &&
      !(caller.type === 'key' && query.key_id === caller.key.id)
    ) {
      return failure(403, 'API keys can read only their own usage.', { param: 'key_id', code: 'admin_required' })
    }
    if (
      caller.type !== 'admin' &&
      query.user_id !== undefined &&
      !(caller.type === 'user' && caller.id === query.user_id)
    ) {
      return failure(403, "Only the admin can read a user's usage.", { param: 'user_id', code: 'admin_required' })
    }
    if (query.key_id !== undefined && query.user_id !== undefined) {
      return failure(400, "Invalid 'user_id': cannot be combined with 'key_id'.", {
        param: 'user_id',
        code: 'invalid_value',
      })
    }
    // An unknown id selects no records.
    const account = accountIdOf({ keyId: query.key_id as ApiKeyId, userId: query.user_id })
    const summarized = await gateway.usage.summarize(caller, {
      from,
      to,
      groupBy: query.group_by,
      limit: query.limit + 1,
      ...(account !== undefined && { account }),
    })
    if (summarized.isErr()) return refuseCall(summarized.error, call, now())
    const summaries = summarized.value
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

/** @param byKey whether `key_id` is set, with `null` for requests without a key, and `user_id` for those of a user */
const toWire = ({ keyId, userId, model, day, ...counts }: UsageSummary, byKey: boolean) => ({
  ...(byKey ? { key_id: keyId ?? null, ...(userId !== undefined && { user_id: userId }) } : {}),
  ...(model === undefined ? {} : { model }),
  ...(day === undefined ? {} : { day }),
  requests: counts.requests,
  failures: counts.failures,
  partial: counts.partial,
  input_tokens: counts.inputTokens,
  output_tokens: counts.outputTokens,
  images: counts.images,
})
