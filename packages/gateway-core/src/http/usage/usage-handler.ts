import { encodedJson } from '@trivium/http-contract'
import type { InferOutput } from 'valibot'
import { accountIdOf } from '../../accounts/account-id.ts'
import type { ApiKeyId } from '../../api-keys/api-key.ts'
import { jsonInTurns } from '../../dialects/requests/encode-in-turns.ts'
import { Turns } from '../../turns.ts'
import { isGroupable, isShortEnough } from '../../usage/usage-arguments.ts'
import { MAX_END_USER_DAYS, MAX_SUMMARIES } from '../../usage/usage-bounds.ts'
import type { UsageFilter, UsageQuery } from '../../usage/usage-repository.ts'
import { answerHeaders } from '../access/answer-headers.ts'
import { failure } from '../errors/failure.ts'
import { type GatewayHandlers, type HandlerParts, refuseCall } from '../handler-parts.ts'
import { ownTeamOf } from '../keys/team-scope.ts'
import type { usageQuerySchema } from './usage-schema.ts'
import { toCsv, toWire, type UsageRow } from './usage-wire.ts'

const encoder = new TextEncoder()
const DEFAULT_SPAN_MS = 30 * 86_400_000

export const usageHandler = ({ gateway, now }: HandlerParts): GatewayHandlers<'getUsage'> => ({
  async getUsage(call) {
    const { query, caller } = call
    const to = query.to ?? now()
    const from = query.from ?? new Date(to.getTime() - DEFAULT_SPAN_MS)
    if (from >= to)
      return failure(400, "Invalid 'from': must be before 'to'.", { param: 'from', code: 'invalid_value' })
    const isOfOwnTeam = query.team_id !== undefined && ownTeamOf(caller)?.id === query.team_id
    if (
      caller.type !== 'admin' &&
      query.key_id !== undefined &&
      !isOfOwnTeam &&
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
    const limit = query.limit ?? (query.format === 'csv' ? MAX_SUMMARIES : DEFAULT_LIMIT)
    const request: UsageQuery = {
      from,
      to,
      groupBy: query.group_by,
      limit: limit + 1,
      ...(account !== undefined && { account }),
      ...filterOf(query),
      ...(query.top !== undefined && { top: { count: query.top, order: query.order } }),
    }
    if (!isShortEnough(request)) {
      const message = `Invalid 'from': must be at most ${MAX_END_USER_DAYS} days before 'to' where end users are named.`
      return failure(400, message, { param: 'from', code: 'invalid_value' })
    }
    if (!isGroupable(query.group_by)) {
      const message = "Invalid 'group_by': cannot have both 'end_user' and 'tag'. Select one 'tag' instead."
      return failure(400, message, { param: 'group_by', code: 'invalid_value' })
    }
    const summarized = await gateway.usage.summarize(caller, request)
    if (summarized.isErr()) return refuseCall(summarized.error, call, now())
    const summaries = summarized.value
    const hasMore = query.top === undefined && summaries.length > limit
    const page = hasMore ? summaries.slice(0, limit) : summaries
    const names = await gateway.usage.namesOf(page)
    const rows: UsageRow[] = []
    const turns = new Turns()
    for (const summary of page) {
      if (turns.isDue) await turns.next()
      rows.push(toWire(summary, query.group_by, names))
    }
    await turns.next()
    if (query.format === 'csv') {
      const headers = { 'content-type': 'text/csv; charset=utf-8', 'x-trivium-has-more': String(hasMore) }
      return {
        status: 200,
        headers: answerHeaders(call, now(), headers),
        body: encoder.encode(toCsv(rows, query.group_by, query.top !== undefined)),
      }
    }
    const list = {
      object: 'list' as const,
      from: from.toISOString(),
      to: to.toISOString(),
      data: rows,
      has_more: hasMore,
    }
    const encoded = rows.length < LARGE ? undefined : encodedJson((await jsonInTurns(list)).text)
    return { status: 200, headers: answerHeaders(call, now()), body: encoded ?? list }
  },
})

const DEFAULT_LIMIT = 1000
/** A list with as many summaries is encoded in several turns of the event loop. */
const LARGE = 2_000

const filterOf = (query: InferOutput<typeof usageQuerySchema>): UsageFilter => ({
  ...(query.person_id !== undefined && { personId: query.person_id }),
  ...(query.team_id !== undefined && { teamId: query.team_id }),
  ...(query.tag !== undefined && { tag: query.tag }),
  ...(query.model !== undefined && { model: query.model }),
  ...(query.provider !== undefined && { provider: query.provider }),
  ...(query.upstream_model !== undefined && { upstreamModel: query.upstream_model }),
  ...(query.status !== undefined && { status: query.status }),
  ...(query.operation !== undefined && { operation: query.operation }),
  ...(query.end_user !== undefined && { endUser: query.end_user }),
})
