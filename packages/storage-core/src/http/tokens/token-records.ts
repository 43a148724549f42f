import type { Result } from 'neverthrow'
import { type CloneToken, type CloneTokenField, cloneTokenFields } from '../../clone-tokens/clone-token.ts'
import type { Storage } from '../../create-storage.ts'
import type { Alternative, FilterError } from '../../query/parse-filter.ts'
import type { Caller } from '../access/caller.ts'
import type { WireRecord } from '../collections/field-selection.ts'
import { asResult, type RecordSource } from '../collections/list-records.ts'
import type { WireRecords } from '../collections/wire-field.ts'
import { formatDuration, parseDurationFilter } from './duration.ts'

export const TOKENS_PATH = '/api/storage/file/clone/tokens'

export const tokenPath = ({ node, uuid }: CloneToken): string => `${TOKENS_PATH}/${node.uuid}/${uuid}`

const tokenRecords = (now: () => Date): WireRecords<CloneToken, CloneTokenField> => ({
  path: TOKENS_PATH,
  catalogue: cloneTokenFields,
  fields: {
    'node.uuid': { field: 'nodeUuid' },
    'node.name': { field: 'nodeName' },
    uuid: { field: 'uuid' },
    reserve_size: { field: 'reserveSize' },
    'expiry_time.limit': { field: 'lifetimeSeconds', parse: parseDurationFilter },
    'expiry_time.left': { field: 'expiresAt', parse: (filter) => leftFilter(filter, now()) },
  },
})

/** The rest of the lifetime in whole seconds, rounded up. A live token has at least 1. */
const secondsLeft = (token: CloneToken, now: Date): number =>
  Math.max(0, Math.ceil((token.expiresAt.getTime() - now.getTime()) / 1000))

export function tokenToWire(token: CloneToken, { links }: Caller, now: Date): WireRecord {
  const { node, uuid, reserveSize, lifetimeSeconds } = token
  return {
    node: { uuid: node.uuid, name: node.name, ...(links && { _links: links(`/api/cluster/nodes/${node.uuid}`) }) },
    uuid,
    reserve_size: reserveSize,
    expiry_time: { limit: formatDuration(lifetimeSeconds), left: formatDuration(secondsLeft(token, now)) },
    ...(links && { _links: links(tokenPath(token)) }),
  }
}

export function tokenSource({ cloneTokens, now }: Storage): RecordSource<CloneToken, CloneTokenField> {
  return {
    records: tokenRecords(now),
    list: (request) => asResult(cloneTokens.list(request)),
    count: (query) => asResult(cloneTokens.count(query)),
    toWire: (token, caller) => tokenToWire(token, caller, now()),
    belonging: { to: 'node', node: 'nodeUuid', owner: 'ownerId' },
  }
}

/** Converts a filter on the seconds left to one on the time of expiry. */
function leftFilter(filter: string, now: Date): Result<readonly Alternative[], FilterError> {
  const start = now.getTime()
  /** The first and the last time of expiry, in milliseconds, with that many seconds left. */
  const first = (seconds: number) => start + (seconds - 1) * 1000 + 1
  const last = (seconds: number) => start + seconds * 1000
  return parseDurationFilter(filter).map((alternatives) =>
    alternatives.map(({ negated, term }): Alternative => {
      switch (term.kind) {
        case 'equals':
          return { negated, term: { kind: 'range', from: first(Number(term.value)), to: last(Number(term.value)) } }
        case 'range':
          return { negated, term: { kind: 'range', from: first(Number(term.from)), to: last(Number(term.to)) } }
        case 'compare': {
          const { operator } = term
          const value = operator === '>' || operator === '<=' ? last(Number(term.value)) : first(Number(term.value))
          return { negated, term: { kind: 'compare', operator, value } }
        }
        default:
          return { negated, term }
      }
    }),
  )
}
