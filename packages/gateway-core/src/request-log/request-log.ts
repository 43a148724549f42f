import type { GatewayCall } from '../caller.ts'
import type { RefusedRequest, RequestAccounts } from '../usage/request-accounts.ts'
import type { UsageId } from '../usage/usage-record.ts'
import type { LoggedRequest } from './logged-request.ts'
import type { Refusal } from './refusal-status.ts'
import type { RequestLogPage, RequestLogQuery, RequestLogRepository } from './request-log-repository.ts'

/** The log of requests. Where the option `requestLog` is absent, it has the entries from before. */
export interface RequestLog {
  /** Whether requests are logged. */
  readonly isOn: boolean
  /** Returns a page of entries, with those that wait. Rejects where the store fails. */
  list(query: RequestLogQuery): Promise<RequestLogPage>
  /** `undefined` for an entry that does not exist, or is no longer kept. Rejects where the store fails. */
  find(id: UsageId): Promise<LoggedRequest | undefined>
  /**
   * Logs a request that a transport has refused before a service got it. Does nothing where the log is off. At most 5
   * refused requests of a caller and 50 of all are logged in a second.
   */
  refused(call: GatewayCall, request: RefusedRequest, refusal: Refusal): void
}

export interface RequestLogParts {
  readonly repository: RequestLogRepository
  readonly isOn: boolean
  /** Writes the waiting entries first, so that pages have them. */
  readonly flush: () => Promise<void>
  /** `undefined` where the log is off. */
  readonly refused: RequestAccounts['refused']
}

export const createRequestLog = ({ repository, isOn, flush, refused }: RequestLogParts): RequestLog => ({
  isOn,
  async list(query) {
    // A later page continues what was read.
    if (!query.after) await flush()
    return repository.list(query)
  },
  async find(id) {
    await flush()
    return repository.find(id)
  },
  refused: (call, request, refusal) => refused?.(call, request, refusal),
})
