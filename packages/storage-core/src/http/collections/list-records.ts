import { type Result, ResultAsync } from 'neverthrow'
import type { Page, PageRequest } from '../../query/page.ts'
import type { Query } from '../../query/query.ts'
import { mapInTurns } from '../../scheduling/map-in-turns.ts'
import type { Caller } from '../access/caller.ts'
import { type Failure, failureBody } from '../errors/failure.ts'
import { type FailureAnswer, failureAnswer, type JsonAnswer, jsonAnswer } from './answers.ts'
import { parseSelection, type Selection, select, type WireRecord } from './field-selection.ts'
import { filterQuery } from './filter-query.ts'
import { nextLink, parseOrder, parseStart } from './page-position.ts'
import { type Parameters, parseParameters } from './parameters.ts'
import { type Belonging, visibleClauses } from './visible-records.ts'
import type { WireRecords } from './wire-field.ts'

/** A parsed list request: the query and page, and the selected members. */
export interface ListRequest<Name extends string> {
  readonly page: PageRequest<Name>
  /** The number of the request's own filters, without the clauses for what the caller sees. */
  readonly filters: number
  readonly selection: Selection
  readonly parameters: Parameters
}

export interface RecordSource<Entity, Name extends string> {
  readonly records: WireRecords<Entity, Name>
  readonly list: (
    request: PageRequest<Name>,
    parameters: Parameters,
    answer?: ListAnswer,
  ) => ResultAsync<Page<Entity>, Failure>
  readonly count: (query: Query<Name>, parameters: Parameters, warn?: Warn) => ResultAsync<number, Failure>
  /** Returns a record with at least the selected members. */
  readonly toWire: (entity: Entity, caller: Caller, selection: Selection) => WireRecord | Promise<WireRecord>
  readonly belonging: Belonging<Name>
  /** Whether requests may have an `interval`. @default false */
  readonly hasInterval?: boolean
}

/** What a list is read for. Absent where records are read to be changed. */
export interface ListAnswer {
  readonly selection: Selection
  readonly warn: Warn
}

/** Adds a warning to an answer that is incomplete. */
type Warn = (warning: Failure) => void

export interface ListCall {
  readonly rawQuery: string
  readonly caller: Caller
}

/** Some milliseconds. */
const RECORDS_IN_TURN = 500

/** Answers GET on a collection. */
export async function listRecords<Entity, Name extends string>(
  { rawQuery, caller }: ListCall,
  source: RecordSource<Entity, Name>,
): Promise<JsonAnswer<200> | FailureAnswer> {
  const read = readListRequest(rawQuery, caller, source)
  if (read.isErr()) return failureAnswer(caller, read.error)
  const { page, selection, parameters } = read.value
  const { pretty } = parameters
  const self = caller.links?.(source.records.path)
  const selfOnly = self ? { _links: self } : {}
  const warnings: WireRecord[] = []
  const warn: Warn = (warning) => warnings.push(failureBody(warning).error)
  const warned = () => (warnings.length > 0 ? { warnings } : {})
  if (parameters.returnRecords === false) {
    const counted = await source.count(page.query, parameters, warn)
    if (counted.isErr()) return failureAnswer(caller, counted.error)
    return jsonAnswer(caller, 200, { num_records: counted.value, ...warned(), ...selfOnly }, { pretty })
  }
  const listed = await source.list(page, parameters, { selection, warn })
  if (listed.isErr()) return failureAnswer(caller, listed.error)
  const { records: entities, next } = listed.value
  const records = await mapInTurns(entities, RECORDS_IN_TURN, (entity): Promise<WireRecord> | WireRecord => {
    const whole = source.toWire(entity, caller, selection)
    return whole instanceof Promise ? whole.then((record) => select(record, selection)) : select(whole, selection)
  })
  const body = { records, num_records: records.length, ...warned() }
  if (!next) return jsonAnswer(caller, 200, { ...body, ...selfOnly }, { pretty })
  const href = `${caller.mountPath}${nextLink(rawQuery, next, page.order, source.records)}`
  const links = { ...self, next: { href } }
  return jsonAnswer(caller, 200, { ...body, _links: links }, { pretty, headers: { link: `<${href}>; rel="next"` } })
}

export function readListRequest<Entity, Name extends string>(
  rawQuery: string,
  caller: Caller,
  { records, belonging, hasInterval = false }: RecordSource<Entity, Name>,
): Result<ListRequest<Name>, Failure> {
  return parseParameters(rawQuery, { hasInterval, defaultReturnTimeout: 15 }).andThen((parameters) =>
    filterQuery(parameters, records).andThen((query) =>
      parseOrder(parameters, records).andThen((order) =>
        parseStart(parameters, order, records).andThen((start) =>
          parseSelection(parameters, records, 'listed').map((selection) => {
            const visible = { all: [...query.all, ...visibleClauses(caller, belonging)] }
            const page = { query: visible, order, limit: parameters.maxRecords, ...(start && { start }) }
            return { page, filters: query.all.length, selection, parameters }
          }),
        ),
      ),
    ),
  )
}

/** Answers GET on one record. */
export async function showRecord<Entity, Name extends string>(
  { rawQuery, caller }: ListCall,
  source: Pick<RecordSource<Entity, Name>, 'records' | 'toWire'>,
  find: (selection: Selection) => ResultAsync<Entity, Failure>,
): Promise<JsonAnswer<200> | FailureAnswer> {
  const read = readShowRequest(rawQuery, source.records)
  if (read.isErr()) return failureAnswer(caller, read.error)
  const { selection, pretty } = read.value
  const found = await find(selection)
  if (found.isErr()) return failureAnswer(caller, found.error)
  const record = await source.toWire(found.value, caller, selection)
  return jsonAnswer(caller, 200, select(record, selection), { pretty })
}

function readShowRequest<Entity, Name extends string>(rawQuery: string, records: WireRecords<Entity, Name>) {
  return parseParameters(rawQuery, { defaultReturnTimeout: 15 }).andThen((parameters) =>
    filterQuery(parameters, records).andThen(() =>
      parseSelection(parameters, records, 'whole').map((selection) => ({ selection, pretty: parameters.pretty })),
    ),
  )
}

/** Wraps a promise that has no expected failure. */
export const asResult = <Value>(value: Promise<Value>): ResultAsync<Value, Failure> =>
  ResultAsync.fromSafePromise(value)
