import { accountIdOf } from '../accounts/account-id.ts'
import type { LoggedRequest } from './logged-request.ts'
import type { StatusClass } from './request-log-bounds.ts'
import { type LogPlace, type RequestLogFilter, searchable, searchedTextOf } from './request-log-repository.ts'

/** Returns whether an entry is selected. */
export function matchesFilter(entry: LoggedRequest, filter: RequestLogFilter): boolean {
  const { account, personId, teamId, tag, model, provider, status, operation, text } = filter
  return (
    (account === undefined || accountIdOf(entry) === account) &&
    (personId === undefined || entry.personId === personId) &&
    (teamId === undefined || entry.teamId === teamId) &&
    (tag === undefined || (entry.tags?.includes(tag) ?? false)) &&
    (model === undefined || entry.model === model) &&
    (provider === undefined || entry.provider === provider) &&
    (status === undefined || entry.status === status || statusClassOf(entry.status) === status) &&
    (operation === undefined || entry.operation === operation) &&
    (text === undefined || (searchedTextOf(entry)?.includes(searchable(text)) ?? false))
  )
}

/** Returns the class of a status, as `4xx`. */
const statusClassOf = (status: number): StatusClass => `${Math.floor(status / 100)}xx` as StatusClass // statuses are from 200 to 599

/** Whether an entry is after a place: older, or as old with a smaller id. */
export const isAfter = (entry: LogPlace, place: LogPlace): boolean =>
  entry.at.getTime() === place.at.getTime() ? entry.id < place.id : entry.at < place.at
