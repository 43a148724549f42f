import type { LoggedRequest } from '@trivium/gateway-core'
import { accountIdOf, searchedTextOf } from '@trivium/gateway-core/ports'
import type { LoggedRequestRow } from './gateway-tables.ts'

export function toRow(entry: LoggedRequest): LoggedRequestRow {
  return {
    id: entry.id,
    at: entry.at.getTime(),
    account_id: accountIdOf(entry) ?? null,
    person_id: entry.personId ?? null,
    team_id: entry.teamId ?? null,
    tags: entry.tags?.length ? `${SEPARATOR}${entry.tags.join(SEPARATOR)}${SEPARATOR}` : null,
    model: entry.model?.slice(0, MODEL_LENGTH) ?? null,
    provider: entry.provider ?? null,
    status: entry.status,
    status_class: Math.floor(entry.status / 100),
    operation: entry.operation,
    search_text: searchedTextOf(entry) ?? null,
    // Escaped, it has no characters that a database refuses.
    entry: JSON.stringify(entry),
  }
}

/** Tags have no control characters. */
export const SEPARATOR = '\n'

const MODEL_LENGTH = 512

export function fromRow({ entry }: Pick<LoggedRequestRow, 'entry'>): LoggedRequest {
  // Written by `toRow`.
  const { at, ...rest } = JSON.parse(entry) as Omit<LoggedRequest, 'at'> & { readonly at: string }
  return { ...rest, at: new Date(at) }
}
