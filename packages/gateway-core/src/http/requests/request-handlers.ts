import type { InferOutput } from 'valibot'
import { accountIdOf } from '../../accounts/account-id.ts'
import type { ApiKeyId } from '../../api-keys/api-key.ts'
import type { Gateway } from '../../create-gateway.ts'
import type { RequestLogFilter, RequestLogQuery } from '../../request-log/request-log-repository.ts'
import type { UsageId } from '../../usage/usage-record.ts'
import { answerHeaders } from '../access/answer-headers.ts'
import { failure } from '../errors/failure.ts'
import type { GatewayHandlers, HandlerParts } from '../handler-parts.ts'
import type { RequestDetailSchema, requestQuerySchema } from './request-schema.ts'
import { placeToWire, toDetail, toWire } from './request-wire.ts'

const DEFAULT_LIMIT = 50
/** The entries that an export holds in memory at the same time. */
const EXPORTED_PAGE = 100

export const requestHandlers = ({ gateway, now }: HandlerParts): GatewayHandlers<'listRequests' | 'getRequest'> => ({
  async listRequests(call) {
    const { query } = call
    const { requestLog } = gateway
    // Entries end at this time, too.
    const { from = new Date(0), to = new Date(now().getTime() + 1), format, limit } = query
    if (from >= to) {
      return failure(400, "Invalid 'from': must be before 'to'.", { param: 'from', code: 'invalid_value' })
    }
    if (query.key_id !== undefined && query.user_id !== undefined) {
      return failure(400, "Invalid 'user_id': cannot be combined with 'key_id'.", {
        param: 'user_id',
        code: 'invalid_value',
      })
    }
    if (format === 'jsonl' && limit !== undefined) {
      return failure(400, "Invalid 'limit': cannot be combined with the format 'jsonl', which has all entries.", {
        param: 'limit',
        code: 'invalid_value',
      })
    }
    const request: RequestLogQuery = { ...filterOf(query), from, to, limit: limit ?? DEFAULT_LIMIT }
    if (format === 'jsonl') {
      return { status: 200, headers: answerHeaders(call, now(), noStore), body: exported(gateway, request) }
    }
    const { entries, next } = await requestLog.list(request)
    return {
      status: 200,
      headers: answerHeaders(call, now(), noStore),
      body: {
        object: 'list',
        enabled: requestLog.isOn,
        data: entries.map(toWire),
        has_more: next !== undefined,
        next: next ? placeToWire(next) : null,
      },
    }
  },

  async getRequest(call) {
    // An unknown id is not found.
    const entry = await gateway.requestLog.find(call.params.request_id as UsageId)
    if (!entry) {
      const message = 'This request is not in the log, or is no longer kept.'
      return failure(404, message, { param: 'request_id', code: 'request_not_found' })
    }
    return { status: 200, headers: answerHeaders(call, now(), noStore), body: toDetail(entry) }
  },
})

/** Prompts must not stay in caches. */
const noStore = { 'cache-control': 'no-store' }

/** Reads the log page by page, as its reader requests lines. */
async function* exported(
  { requestLog }: Pick<Gateway, 'requestLog'>,
  query: RequestLogQuery,
): AsyncGenerator<InferOutput<RequestDetailSchema>, void> {
  let { after } = query
  do {
    const page = await requestLog.list({ ...query, limit: EXPORTED_PAGE, ...(after && { after }) })
    for (const entry of page.entries) yield toDetail(entry)
    after = page.next
  } while (after)
}

function filterOf(query: InferOutput<typeof requestQuerySchema>): RequestLogFilter & Pick<RequestLogQuery, 'after'> {
  // An unknown id selects no entries.
  const account = accountIdOf({ keyId: query.key_id as ApiKeyId, userId: query.user_id })
  return {
    ...(account !== undefined && { account }),
    ...(query.person_id !== undefined && { personId: query.person_id }),
    ...(query.team_id !== undefined && { teamId: query.team_id }),
    ...(query.tag !== undefined && { tag: query.tag }),
    ...(query.model !== undefined && { model: query.model }),
    ...(query.provider !== undefined && { provider: query.provider }),
    ...(query.status !== undefined && { status: query.status }),
    ...(query.operation !== undefined && { operation: query.operation }),
    ...(query.q !== undefined && { text: query.q }),
    ...(query.after !== undefined && { after: query.after }),
  }
}
